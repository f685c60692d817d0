import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../api/account.ts'
import { asProblem } from '../api/problem.ts'
import { mailLink } from '../api/profile.ts'
import { requestedLinks } from '../api/requested-links.ts'
import { dropToken, session } from '../api/session.ts'
import { Button } from './button.tsx'
import { DemoMailbox } from './demo-mailbox.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorOf, Notice } from './feedback.tsx'
import { Field, passwordIn } from './field.tsx'
import { PasskeyProof } from './passkey-proof.tsx'
import { texts } from './sign-in-texts.ts'
import { useAction } from './use-action.ts'
import { Waiting } from './waiting.tsx'

type Props = { settle: (isGiven: boolean) => void }

/** Asks for a sign-in where the last one is too long ago. */
export default function SignInDialog({ settle }: Props) {
  const { data: account } = useQuery(accountQuery)
  return (
    <Dialog title={texts.title} text={texts.text} onClose={() => settle(false)}>
      {account === undefined ? (
        <Waiting />
      ) : account.has_password ? (
        <PasswordProof settle={settle} />
      ) : (
        <LinkProof email={account.user.email} settle={settle} />
      )}
      <PasskeyProof onDone={() => settle(true)} />
    </Dialog>
  )
}

function PasswordProof({ settle }: Props) {
  const proving = useAction({
    mutationFn: session.givePassword,
    onSuccess: () => settle(true),
  })
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        proving.mutate(passwordIn(event.currentTarget))
      }}
    >
      <Field
        label={texts.password}
        name="password"
        type="password"
        required
        autoFocus
        autoComplete="current-password"
        problem={proving.error ? asProblem(proving.error).message : undefined}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={proving.isPending}>
          {texts.go}
        </Button>
        <Button look="second" onClick={() => settle(false)}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}

/** The link signs this browser in, in every tab. */
function LinkProof({ email, settle }: Props & { email: string | null }) {
  const mailing = useAction({
    mutationFn: (to: string) => {
      requestedLinks.note(to)
      return mailLink(to, window.location.pathname)
    },
  })
  return (
    <div className="grid gap-4">
      <p>{email ? texts.linkText : texts.otherWay}</p>
      <ErrorOf thrown={mailing.error} />
      {mailing.isSuccess ? <Notice>{texts.mailed(mailing.variables)}</Notice> : null}
      {mailing.isSuccess ? <DemoMailbox /> : null}
      <div className="flex flex-wrap gap-3">
        {mailing.isSuccess ? (
          <Button
            onClick={() => {
              // The token of this tab is that of the old sign-in.
              dropToken()
              settle(true)
            }}
          >
            {texts.go}
          </Button>
        ) : email ? (
          <Button isBusy={mailing.isPending} onClick={() => mailing.mutate(email)}>
            {texts.mailLink}
          </Button>
        ) : null}
        <Button look="second" onClick={() => settle(false)}>
          {texts.cancel}
        </Button>
      </div>
    </div>
  )
}
