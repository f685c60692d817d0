import { useState } from 'react'
import type { Lootbox } from '../../../api/admin-lootboxes.ts'
import { Field, valueIn } from '../../../design/field.tsx'
import { FormDialog } from '../../../design/form-dialog.tsx'
import { ReasonField } from '../../../design/reason-field.tsx'
import { optionsOf, Select } from '../../../design/select.tsx'
import { TextArea } from '../../../design/text-area.tsx'
import { linesOf } from '../lines.ts'
import { texts as adminTexts } from '../texts.ts'
import { createLootbox } from './queries.ts'
import { fillTexts as texts } from './texts.ts'

const statuses = ['Draft', 'Available', 'Owned'] as const
type Status = (typeof statuses)[number]
const options = optionsOf(statuses, texts.statuses)

type Props = { onDone: (box: Lootbox) => void; onClose: () => void }

/** Creates a box with chosen ids. */
export function FillDialog({ onDone, onClose }: Props) {
  const [status, setStatus] = useState<Status>('Draft')
  return (
    <FormDialog
      title={texts.title}
      text={texts.text}
      action={texts.action}
      run={(form) =>
        createLootbox({
          status,
          yats: linesOf(valueIn(form, 'ids')),
          ...(status === 'Owned' ? { owner_email: valueIn(form, 'owner') } : {}),
          reason: valueIn(form, 'reason'),
        })
      }
      onDone={onDone}
      onClose={onClose}
      fields={['yats', 'owner_email']}
    >
      {(problemIn) => (
        <>
          <TextArea
            label={adminTexts.boxes.ids}
            hint={adminTexts.boxes.idsHint}
            name="ids"
            required
            rows={4}
            problem={problemIn('yats')}
          />
          <Select
            label={texts.status}
            options={options}
            value={status}
            onChange={({ currentTarget }) => setStatus(currentTarget.value as Status)}
          />
          {status === 'Owned' ? (
            <Field
              label={texts.owner}
              name="owner"
              type="email"
              required
              problem={problemIn('owner_email')}
            />
          ) : null}
          <ReasonField />
        </>
      )}
    </FormDialog>
  )
}
