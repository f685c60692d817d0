import type { ReactNode } from 'react'
import { asProblem } from '../api/problem.ts'
import { Button } from './button.tsx'
import { ErrorOf, Notice } from './feedback.tsx'
import { Field, valueIn } from './field.tsx'
import { texts } from './texts.ts'
import { useAction } from './use-action.ts'

type Props<Result> = {
  provider: string
  give: (code: string) => Promise<Result>
  send: () => Promise<unknown>
  onGiven: (result: Result) => void
  children?: ReactNode
}

/** Accepts a code from an app, a text message or the backup codes. */
export function CodeForm<Result>({ provider, give, send, onGiven, children }: Props<Result>) {
  const returnMutation = useAction({ mutationFn: give, onSuccess: onGiven })
  const sending = useAction({ mutationFn: send })
  const isSms = provider === 'SMS'
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        returnMutation.mutate(valueIn(event.currentTarget, 'code').replaceAll(/\s/g, ''))
      }}
    >
      {isSms ? (
        <Button look="second" isBusy={sending.isPending} onClick={() => sending.mutate()}>
          {sending.isSuccess ? texts.code.sendAgain : texts.code.send}
        </Button>
      ) : null}
      {sending.isSuccess ? <Notice>{texts.code.sent}</Notice> : null}
      <ErrorOf thrown={sending.error} />
      <Field
        label={texts.code.label}
        hint={isSms ? texts.code.smsHint : texts.code.appHint}
        name="code"
        required
        inputMode="text"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        problem={returnMutation.error ? asProblem(returnMutation.error).message : undefined}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={returnMutation.isPending}>
          {texts.code.give}
        </Button>
        {children}
      </div>
    </form>
  )
}
