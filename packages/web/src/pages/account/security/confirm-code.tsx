import { asProblem } from '../../../api/problem.ts'
import { Button } from '../../../design/button.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { useAction } from '../../../design/use-action.ts'
import { confirmFactor } from './queries.ts'
import { texts } from './texts.ts'

type Props = { onOn: () => void; onCancel: () => void }

/** The first valid code enables a new second factor. */
export function ConfirmCode({ onOn, onCancel }: Props) {
  const confirmMutation = useAction({ mutationFn: confirmFactor, onSuccess: onOn })
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        confirmMutation.mutate(valueIn(event.currentTarget, 'code'))
      }}
    >
      <Field
        className="max-w-xs"
        label={texts.code}
        hint={texts.codeHint}
        name="code"
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        spellCheck={false}
        problem={confirmMutation.error ? asProblem(confirmMutation.error).message : undefined}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={confirmMutation.isPending}>
          {texts.turnOn}
        </Button>
        <Button look="second" disabled={confirmMutation.isPending} onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}
