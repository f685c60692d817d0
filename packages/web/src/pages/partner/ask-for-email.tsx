import { useQueryClient } from '@tanstack/react-query'
import { accountQuery } from '../../api/account.ts'
import { asProblem } from '../../api/problem.ts'
import { Button } from '../../design/button.tsx'
import { Alert, Card, ErrorOf, Notice } from '../../design/feedback.tsx'
import { Field, passwordIn, valueIn } from '../../design/field.tsx'
import { useAction } from '../../design/use-action.ts'
import { texts as sharedTexts } from '../texts.ts'
import { setEmail } from './queries.ts'
import { StepTitle } from './step-title.tsx'
import { texts } from './texts.ts'

type Props = { name: string; needsPassword: boolean }

/** Adds an email address to an account without one, where the partner requires it. */
export function AskForEmail({ name, needsPassword }: Props) {
  const queries = useQueryClient()
  const ask = useAction({ mutationFn: setEmail })
  const look = useAction({
    // With an address, the next step replaces this one.
    mutationFn: () => queries.fetchQuery({ ...accountQuery, staleTime: 0 }),
  })
  const problem = ask.error ? asProblem(ask.error) : undefined
  const inFields = { email: problem?.in('email'), password: problem?.in('current_password') }
  const { email: t } = texts
  return (
    <Card className="grid gap-4">
      <StepTitle>{t.title}</StepTitle>
      <p className="text-soft">{t.text(name)}</p>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          const form = event.currentTarget
          const email = valueIn(form, 'email')
          ask.mutate(needsPassword ? { email, current_password: passwordIn(form) } : { email })
        }}
      >
        <Field
          label={sharedTexts.email}
          name="email"
          type="email"
          required
          autoComplete="email"
          problem={inFields.email}
        />
        {needsPassword ? (
          <Field
            label={t.password}
            hint={t.passwordHint}
            name="password"
            type="password"
            required
            autoComplete="current-password"
            problem={inFields.password}
          />
        ) : null}
        <ErrorOf thrown={inFields.email || inFields.password ? undefined : problem} />
        <div>
          <Button type="submit" isBusy={ask.isPending}>
            {t.send}
          </Button>
        </div>
      </form>
      {ask.isSuccess ? (
        <div className="grid justify-items-start gap-3">
          <Notice>{t.sent(ask.variables.email)}</Notice>
          <Button look="second" isBusy={look.isPending} onClick={() => look.mutate()}>
            {t.done}
          </Button>
          {look.isSuccess ? <Alert>{t.notYet}</Alert> : null}
          <ErrorOf thrown={look.error} />
        </div>
      ) : null}
    </Card>
  )
}
