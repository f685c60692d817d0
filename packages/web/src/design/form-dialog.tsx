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
  /** The label of the button: the action, never "OK". */
  action: string
  /** The action is irreversible or harms a user. */
  isDangerous?: boolean
  run: (form: HTMLFormElement) => Promise<Done>
  onDone: (done: Done) => void
  onRefused?: (problem: Problem) => void
  onClose: () => void
  /** API names of the fields that show their own errors. */
  fields?: readonly string[]
  /** The fields; `problemIn` returns the API error of one field. */
  children: (problemIn: (field: string) => string | undefined) => ReactNode
}

/**
 * A short form in a dialog. Render it only while it is open. If the API requires a code, the code
 * prompt opens above it and the request continues.
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
    onError: (error) => onRefused?.(asProblem(error)),
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
        <ErrorOf thrown={running.error} shownBy={fields ?? []} />
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
