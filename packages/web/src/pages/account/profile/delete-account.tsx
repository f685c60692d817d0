import { useState } from 'react'
import { session } from '../../../api/session.ts'
import { Button } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { Field } from '../../../design/field.tsx'
import { Part } from '../../../design/part.tsx'
import { deleteAccount } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.remove

type Props = { user: { id: string; email: string | null; alternate_id: string | null } }

export function DeleteAccount({ user }: Props) {
  const [isAsking, setAsking] = useState(false)
  const name = user.email ?? user.alternate_id ?? user.id
  return (
    <Part
      title={texts.title}
      text={texts.text}
      actions={
        <Button look="danger" onClick={() => setAsking(true)}>
          {texts.action}
        </Button>
      }
    >
      {isAsking ? (
        <ConfirmDialog
          title={texts.dialog}
          text={<Losses />}
          action={texts.action}
          isDangerous
          run={async () => {
            await deleteAccount(user.id)
            await session.end()
          }}
          // A reload drops all data of the deleted account.
          onDone={() => window.location.assign('/')}
          onClose={() => setAsking(false)}
        >
          <Field
            label={texts.type(name)}
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onInput={({ currentTarget: field }) =>
              field.setCustomValidity(field.value.trim() === name ? '' : texts.mismatch)
            }
          />
        </ConfirmDialog>
      ) : null}
    </Part>
  )
}

const Losses = () => (
  <>
    <p>{texts.lost}</p>
    <ul className="mt-2 grid list-disc gap-1 pl-5">
      {texts.losses.map((loss) => (
        <li key={loss}>{loss}</li>
      ))}
    </ul>
    <p className="mt-3">{texts.kept}</p>
    <ul className="mt-2 grid list-disc gap-1 pl-5">
      {texts.keepings.map((keeping) => (
        <li key={keeping}>{keeping}</li>
      ))}
    </ul>
  </>
)
