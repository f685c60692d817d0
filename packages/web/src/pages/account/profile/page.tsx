import { textLengths } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { accountQuery } from '../../../api/account.ts'
import { session } from '../../../api/session.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { Part, Section } from '../../../design/section.tsx'
import { useAction } from '../../../design/use-action.ts'
import { useFormDraft } from '../../../design/use-session-draft.ts'
import { Waiting } from '../../../design/waiting.tsx'
import { texts as accountTexts } from '../texts.ts'
import { EmailPart, PasswordPart } from './credentials.tsx'
import { changeAccount, deleteAccount, exportAccount } from './queries.ts'
import { texts } from './texts.ts'

export function ProfilePage() {
  const { data: account, error } = useQuery(accountQuery)
  return (
    <Section title={accountTexts.sections.profile} text={texts.text}>
      {account ? (
        <>
          <NamePart user={account.user} />
          <EmailPart user={account.user} needsPassword={account.email_needs_password} />
          <PasswordPart user={account.user} hasPassword={account.has_password} />
          <ExportPart />
          <DeleteAccount user={account.user} />
        </>
      ) : error ? (
        <ErrorOf thrown={error} />
      ) : (
        <Waiting />
      )}
    </Section>
  )
}

const nameTexts = texts.name

type Props = { user: { first_name: string | null; last_name: string | null } }

function NamePart({ user }: Props) {
  const draft = useFormDraft('profile name', ['first', 'last'])
  const saving = useAction({
    mutationFn: changeAccount,
    onSuccess: () => {
      draft.clear()
      announce(nameTexts.done)
    },
  })
  return (
    <Part title={nameTexts.title} text={nameTexts.text}>
      <form
        {...draft.form}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          const [first_name, last_name] = [valueIn(form, 'first'), valueIn(form, 'last')]
          saving.mutate({ first_name, last_name })
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={nameTexts.first}
            name="first"
            {...textLengths.name}
            autoComplete="given-name"
            defaultValue={user.first_name ?? ''}
          />
          <Field
            label={nameTexts.last}
            name="last"
            {...textLengths.name}
            autoComplete="family-name"
            defaultValue={user.last_name ?? ''}
          />
        </div>
        <ErrorOf thrown={saving.error} />
        <div>
          <Button type="submit" look="second" isBusy={saving.isPending}>
            {nameTexts.save}
          </Button>
        </div>
      </form>
    </Part>
  )
}

const exportTexts = texts.export

/** Downloads all own data as a file. */
function ExportPart() {
  const loading = useAction({
    mutationFn: exportAccount,
    onSuccess: (file) => {
      save(file)
      announce(exportTexts.done)
    },
  })
  return (
    <Part
      title={exportTexts.title}
      text={exportTexts.text}
      actions={
        <Button look="second" isBusy={loading.isPending} onClick={() => loading.mutate()}>
          {exportTexts.action}
        </Button>
      }
    >
      <ErrorOf thrown={loading.error} />
    </Part>
  )
}

/** A link cannot send the access token, so the loaded file is saved from memory. */
function save(file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = `emoji-id-account-${new Date().toISOString().slice(0, 10)}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(url))
}

const removeTexts = texts.remove

type DeleteAccountProps = {
  user: { id: string; email: string | null; alternate_id: string | null }
}

function DeleteAccount({ user }: DeleteAccountProps) {
  const [isAsking, setAsking] = useState(false)
  const name = user.email ?? user.alternate_id ?? user.id
  return (
    <Part
      title={removeTexts.title}
      text={removeTexts.text}
      actions={
        <Button look="danger" onClick={() => setAsking(true)}>
          {removeTexts.action}
        </Button>
      }
    >
      {isAsking ? (
        <ConfirmDialog
          title={removeTexts.dialog}
          text={<Losses />}
          action={removeTexts.action}
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
            label={removeTexts.type(name)}
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onInput={({ currentTarget: field }) =>
              field.setCustomValidity(field.value.trim() === name ? '' : removeTexts.mismatch)
            }
          />
        </ConfirmDialog>
      ) : null}
    </Part>
  )
}

const Losses = () => (
  <>
    <p>{removeTexts.lost}</p>
    <ul className="mt-2 grid list-disc gap-1 pl-5">
      {removeTexts.losses.map((loss) => (
        <li key={loss}>{loss}</li>
      ))}
    </ul>
    <p className="mt-3">{removeTexts.kept}</p>
    <ul className="mt-2 grid list-disc gap-1 pl-5">
      {removeTexts.keepings.map((keeping) => (
        <li key={keeping}>{keeping}</li>
      ))}
    </ul>
  </>
)
