import type { ReactNode } from 'react'
import { asProblem, type Problem } from '../api/problem.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorOf } from './feedback.tsx'
import { valueIn } from './field.tsx'
import { ReasonField } from './reason-field.tsx'
import { texts } from './texts.ts'
import { useAction } from './use-action.ts'

type Props<Done> = {
  title: string
  /** What happens then, and whether it can be undone. */
  text: ReactNode
  /** The word on the button: what is done, never "OK". */
  action: string
  /** It cannot be undone, or hurts somebody. */
  isDangerous?: boolean
  /** Asks why, for the audit log; `run` gets it. */
  asksReason?: boolean
  run: (reason: string) => Promise<Done>
  onDone: (done: Done) => void
  onClose: () => void
  /** Told of a refusal for what stands in fields beneath: it closes, and they say what is wrong. */
  onWrong?: (problem: Problem) => void
  /** More fields of the form, should the action need any. */
  children?: ReactNode
}

/**
 * Asks before something is done, and does it. Render it while it is open. Should the service ask for
 * a code, the question for it opens above, and the request goes on by itself.
 */
export function ConfirmDialog<Done>(props: Props<Done>) {
  const { title, text, action, isDangerous, asksReason, run, onDone, onClose, onWrong, children } =
    props
  const running = useAction({
    mutationFn: run,
    onSuccess: (done) => {
      onClose()
      onDone(done)
    },
    onError: (thrown) => {
      const problem = asProblem(thrown)
      const isBeneath = Object.keys(problem.fields).some((field) => field !== 'reason')
      if (!onWrong || !isBeneath) return
      onClose()
      onWrong(problem)
    },
  })
  return (
    <Dialog title={title} text={text} onClose={onClose} isBusy={running.isPending}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          running.mutate(valueIn(event.currentTarget, 'reason'))
        }}
      >
        {children}
        {asksReason ? <ReasonField /> : null}
        <ErrorOf thrown={running.error} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" look={isDangerous ? 'danger' : 'main'} isBusy={running.isPending}>
            {action}
          </Button>
          <Button look="second" disabled={running.isPending} onClick={onClose}>
            {texts.confirm.cancel}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
