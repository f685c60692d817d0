import type { ReactNode } from 'react'
import { asProblem, type Problem } from '../api/problem.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorOf } from './feedback.tsx'
import { texts } from './texts.ts'
import { useAction } from './use-action.ts'

type Props<Done> = {
  title: string
  text?: ReactNode
  /** The word on the button: what is done, never "OK". */
  action: string
  /** It cannot be undone, or hurts somebody. */
  isDangerous?: boolean
  run: (form: HTMLFormElement) => Promise<Done>
  onDone: (done: Done) => void
  onRefused?: (problem: Problem) => void
  onClose: () => void
  /** As the service calls them: those that say themselves what is wrong with them. */
  fields?: readonly string[]
  /** The fields; `problemIn` tells what the service says is wrong with one. */
  children: (problemIn: (field: string) => string | undefined) => ReactNode
}

/**
 * A short form in place. Render it while it is open. Should the service ask for a code, the question
 * for it opens above, and the request goes on by itself.
 */
export function FormDialog<Done>(props: Props<Done>) {
  const { title, text, action, isDangerous, run, onDone, onRefused, onClose, fields, children } =
    props
  const running = useAction({
    mutationFn: run,
    onSuccess: (done) => {
      onClose()
      onDone(done)
    },
    onError: (thrown) => onRefused?.(asProblem(thrown)),
  })
  const problemIn = (field: string) =>
    running.error ? asProblem(running.error).in(field) : undefined
  return (
    <Dialog title={title} text={text} onClose={onClose} isBusy={running.isPending}>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          running.mutate(event.currentTarget)
        }}
      >
        {children(problemIn)}
        <ErrorOf thrown={running.error} toldBy={fields ?? []} />
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
