import type { Application } from '../../../api/admin-applications.ts'
import { Field, valueIn } from '../../../design/field.tsx'
import { TextArea } from '../../../design/text-area.tsx'
import { linesOf } from '../lines.ts'
import { fieldTexts } from './texts.ts'

type Props = {
  application?: Application
  problemIn?: (field: string) => string | undefined
}

/** The name, redirect URIs and logo of an application. */
export const ApplicationFields = ({ application, problemIn }: Props) => (
  <>
    <Field
      label={fieldTexts.name}
      hint={fieldTexts.nameHint}
      name="name"
      required
      maxLength={100}
      defaultValue={application?.name}
      problem={problemIn?.('name')}
    />
    <TextArea
      label={fieldTexts.redirects}
      hint={fieldTexts.redirectsHint}
      name="redirect_uris"
      required
      autoCapitalize="none"
      spellCheck={false}
      defaultValue={application?.redirect_uris.join('\n')}
      problem={problemIn?.('redirect_uris')}
    />
    <Field
      label={fieldTexts.logo}
      hint={fieldTexts.logoHint}
      name="logo"
      type="url"
      maxLength={1_000}
      defaultValue={application?.logo ?? ''}
      problem={problemIn?.('logo')}
    />
  </>
)

/** Reads the fields of the form. */
export const applicationIn = (form: HTMLFormElement) => ({
  name: valueIn(form, 'name'),
  redirect_uris: linesOf(valueIn(form, 'redirect_uris')),
  logo: valueIn(form, 'logo') || null,
})
