import { asProblem } from '../../../api/problem.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { When } from '../../../design/date.tsx'
import { Notice } from '../../../design/feedback.tsx'
import { clearSent, Field, valueIn } from '../../../design/field.tsx'
import { Part } from '../../../design/part.tsx'
import { useAction } from '../../../design/use-action.ts'
import { UnconfirmedAddress } from '../unconfirmed-address.tsx'
import { CurrentPassword, currentPasswordIn } from './current-password.tsx'
import { LinkNeeded } from './link-needed.tsx'
import { changeAccount } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.email

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
      title={texts.title}
      text={
        <span className="wrap-anywhere">
          {email ? texts.current(email) : texts.none(alternate_id ?? '')}
        </span>
      }
      badge={
        email ? (
          <Badge tone={email_verified_at ? 'good' : 'wrong'}>
            {email_verified_at ? texts.confirmed : texts.unconfirmed}
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
            label={texts.label}
            hint={email ? texts.hint : texts.firstHint}
            name="email"
            type="email"
            required
            autoComplete="email"
            problem={problem?.code === 'uniqueness' ? texts.taken : problem?.in('email')}
          />
          {needsPassword ? <CurrentPassword thrown={askMutation.error} /> : null}
        </div>
        {former_emails.map((former) => (
          <Notice key={former.email}>
            {texts.former(former.email)} <When at={former.until} isExact />
          </Notice>
        ))}
        {pending_email ? <Notice>{texts.pending(pending_email)}</Notice> : null}
        <LinkNeeded
          thrown={askMutation.error}
          email={email}
          shownBy={['email', 'current_password']}
        />
        <div>
          <Button type="submit" look="second" isBusy={askMutation.isPending}>
            {texts.action}
          </Button>
        </div>
      </form>
    </Part>
  )
}
