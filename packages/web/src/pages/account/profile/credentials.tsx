import { textLengths } from '@emojid/core'
import { asProblem } from '../../../api/problem.ts'
import { mailSignInLink } from '../../../api/sign-in.ts'
import { announce } from '../../../design/announcements.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { When } from '../../../design/date.tsx'
import { ErrorOf, Notice } from '../../../design/feedback.tsx'
import { clearSent, Field, passwordIn, valueIn } from '../../../design/field.tsx'
import { Part } from '../../../design/section.tsx'
import { useAction } from '../../../design/use-action.ts'
import { UnconfirmedAddress } from '../unconfirmed-address.tsx'
import { changeAccount } from './queries.ts'
import { texts } from './texts.ts'

const emailTexts = texts.email

type User = {
  email: string | null
  pending_email?: string | null
  former_emails?: { email: string; until: string }[]
  alternate_id: string | null
  email_verified_at: string | null
}
type Props = { user: User; needsPassword: boolean }

export function EmailPart({ user, needsPassword }: Props) {
  const { email, pending_email, former_emails = [], alternate_id, email_verified_at } = user
  const askMutation = useAction({ mutationFn: changeAccount })
  const problem = askMutation.error ? asProblem(askMutation.error) : undefined
  return (
    <Part
      title={emailTexts.title}
      text={
        <span className="wrap-anywhere">
          {email ? emailTexts.current(email) : emailTexts.none(alternate_id ?? '')}
        </span>
      }
      badge={
        email ? (
          <Badge tone={email_verified_at ? 'good' : 'wrong'}>
            {email_verified_at ? emailTexts.confirmed : emailTexts.unconfirmed}
          </Badge>
        ) : null
      }
    >
      {email && !email_verified_at ? (
        <UnconfirmedAddress email={email} back="/account/profile" />
      ) : null}
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          const change = {
            email: valueIn(form, 'email'),
            ...currentPasswordIn(form),
            ...(email ? {} : { redirect: '/account/profile' }),
          }
          const sent = new FormData(form)
          askMutation.mutate(change, { onSuccess: () => clearSent(form, sent) })
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          <Field
            label={emailTexts.label}
            hint={email ? emailTexts.hint : emailTexts.firstHint}
            name="email"
            type="email"
            required
            autoComplete="email"
            problem={problem?.code === 'uniqueness' ? emailTexts.taken : problem?.in('email')}
          />
          {needsPassword ? <CurrentPassword thrown={askMutation.error} /> : null}
        </div>
        {former_emails.map((former) => (
          <Notice key={former.email}>
            {emailTexts.former(former.email)} <When at={former.until} isExact />
          </Notice>
        ))}
        {pending_email ? <Notice>{emailTexts.pending(pending_email)}</Notice> : null}
        <LinkNeeded
          thrown={askMutation.error}
          email={email}
          shownBy={['email', 'current_password']}
        />
        <div>
          <Button type="submit" look="second" isBusy={askMutation.isPending}>
            {emailTexts.action}
          </Button>
        </div>
      </form>
    </Part>
  )
}

const passwordTexts = texts.password

type PasswordPartProps = { user: { email: string | null }; hasPassword: boolean }

export function PasswordPart({ user, hasPassword }: PasswordPartProps) {
  const setting = useAction({
    mutationFn: changeAccount,
    onSuccess: () => announce(passwordTexts.done),
  })
  return (
    <Part title={passwordTexts.title} text={hasPassword ? passwordTexts.has : passwordTexts.hasNot}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          const change = { password: passwordIn(form), ...currentPasswordIn(form) }
          const sent = new FormData(form)
          setting.mutate(change, { onSuccess: () => clearSent(form, sent) })
        }}
      >
        <div className="grid gap-4 sm:grid-cols-2">
          {hasPassword ? <CurrentPassword thrown={setting.error} /> : null}
          <Field
            label={passwordTexts.label}
            hint={passwordTexts.hint(textLengths.password.minLength)}
            name="password"
            type="password"
            required
            {...textLengths.password}
            autoComplete="new-password"
            problem={setting.error ? asProblem(setting.error).in('password') : undefined}
          />
        </div>
        <LinkNeeded
          thrown={setting.error}
          email={user.email}
          shownBy={['password', 'current_password']}
        />
        <div>
          <Button type="submit" look="second" isBusy={setting.isPending}>
            {hasPassword ? passwordTexts.change : passwordTexts.set}
          </Button>
        </div>
      </form>
    </Part>
  )
}

/** Account changes require the current password, if there is one. */
const CurrentPassword = ({ thrown }: { thrown: unknown }) => (
  <Field
    label={texts.currentPassword}
    name="current"
    type="password"
    required
    autoComplete="current-password"
    problem={
      thrown && asProblem(thrown).code === 'wrong_password' ? texts.wrongPassword : undefined
    }
  />
)

/** Leading and trailing spaces are part of a password. */
function currentPasswordIn(form: HTMLFormElement): { current_password?: string } {
  const password = new FormData(form).get('current')
  return password === null ? {} : { current_password: String(password) }
}

type LinkNeededProps = {
  thrown: unknown
  email: string | null
  /** Fields that show their own errors. */
  shownBy: readonly string[]
}

/** An error; if a fresh sign-in link is required, a button that emails one. */
function LinkNeeded({ thrown, email, shownBy }: LinkNeededProps) {
  const mailMutation = useAction({
    mutationFn: (to: string) => mailSignInLink({ email: to, redirect: '/account/profile' }),
  })
  if (!thrown || !email || asProblem(thrown).code !== 'missing_link') {
    return <ErrorOf thrown={thrown} shownBy={shownBy} />
  }
  return (
    <div role="alert" className="grid justify-items-start gap-3 rounded-field bg-tint p-4">
      <p>{passwordTexts.linkText}</p>
      {mailMutation.isSuccess ? (
        <Notice>{passwordTexts.mailed(email)}</Notice>
      ) : (
        <Button
          look="second"
          isBusy={mailMutation.isPending}
          onClick={() => mailMutation.mutate(email)}
        >
          {passwordTexts.mailLink}
        </Button>
      )}
      <ErrorOf thrown={mailMutation.error} />
    </div>
  )
}
