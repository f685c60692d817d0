import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../api/account.ts'
import { requestedLinks } from '../api/browser-notes.ts'
import { asProblem } from '../api/problem.ts'
import { dropToken, session } from '../api/session.ts'
import { mailSignInLink } from '../api/sign-in.ts'
import { messages } from '../language.ts'
import { Button } from './button.tsx'
import { DemoMailbox } from './demo-mailbox.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorOf, Notice } from './feedback.tsx'
import { Field, passwordIn } from './field.tsx'
import { PasskeyProof } from './passkey-proof.tsx'
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
      return mailSignInLink({ email: to, redirect: window.location.pathname })
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

/** Texts of the prompt for a recent sign-in, loaded with it. */
const texts = messages({
  en: {
    title: 'Is it still you?',
    text: 'You signed in a while ago. What you are about to do gives lasting access, so confirm that it’s you.',
    password: 'Your password',
    go: 'Continue',
    cancel: 'Not now',
    linkText: 'Sign in with a link that we email you. Then continue here.',
    mailLink: 'Email me a link',
    mailed: (email: string) => `A link is on its way to ${email}. Open it in this browser.`,
    otherWay: 'Sign out and in again, then repeat what you were doing.',
  },
})
