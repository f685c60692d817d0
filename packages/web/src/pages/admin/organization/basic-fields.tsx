import { textLengths } from '@emojid/core'
import type { Organization } from '../../../api/admin.ts'
import { Field } from '../../../design/field.tsx'
import { texts } from './texts.ts'

type Props = {
  organization?: Organization
  problemIn?: (field: string) => string | undefined
}

/** The name, path and fee of an organization. */
export const BasicFields = ({ organization, problemIn }: Props) => (
  <>
    <Field
      label={texts.name}
      name="name"
      required
      {...textLengths.name}
      defaultValue={organization?.name}
      problem={problemIn?.('name')}
    />
    <Field
      label={texts.path}
      hint={texts.pathHint}
      name="partner_path"
      pattern="[a-z0-9][a-z0-9\-]{1,39}"
      autoCapitalize="none"
      spellCheck={false}
      defaultValue={organization?.partner_path ?? ''}
      problem={problemIn?.('partner_path')}
    />
    <Field
      label={texts.fee}
      hint={texts.feeHint}
      name="client_fee_percent"
      type="number"
      min={0}
      max={100}
      step={1}
      defaultValue={organization?.client_fee_percent ?? 0}
      problem={problemIn?.('client_fee_percent')}
    />
  </>
)
