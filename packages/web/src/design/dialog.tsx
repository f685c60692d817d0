import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { asProblem, type Problem } from '../api/problem.ts'
import { Button } from './button.tsx'
import { ErrorOf } from './feedback.tsx'
import { ReasonField, valueIn } from './field.tsx'
import { texts } from './texts.ts'
import { useAction } from './use-action.ts'

/** Restores the focus after the dialog unmounts. */
function useRestoredFocus(): void {
  const [before] = useState(() => document.activeElement)
  const restoring = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    // During development React unmounts and mounts everything once more.
    clearTimeout(restoring.current)
    return () => {
      // Wait until the rest of the page is focusable again.
      restoring.current = setTimeout(() => {
        if (before instanceof HTMLElement && before.isConnected) before.focus()
      })
    }
  }, [before])
}

type Props = {
  title: string
  text?: ReactNode
  /** Escape or a click outside. */
  onClose: () => void
  /** Stays open while an action runs. */
  isBusy?: boolean
  children: ReactNode
}

/** A modal dialog. Open while it is rendered. */
export function Dialog({ title, text, onClose, isBusy = false, children }: Props) {
  useRestoredFocus()
  return (
    <Base.Root
      open
      disablePointerDismissal={isBusy}
      onOpenChange={(isOpen) => isOpen || isBusy || onClose()}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 bg-black/50" />
        <Base.Popup
          finalFocus={false}
          className="fixed top-1/2 left-1/2 grid max-h-[90vh] w-[min(28rem,calc(100vw-2rem))] -translate-1/2 gap-4 overflow-auto rounded-card border border-hair bg-card p-6 text-ink shadow-xl"
        >
          <Base.Title className="text-xl font-bold tracking-tight">{title}</Base.Title>
          {text ? (
            <Base.Description render={<div />} className="text-soft">
              {text}
            </Base.Description>
          ) : null}
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

type FormDialogProps<Done> = {
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
export function FormDialog<Done>(props: FormDialogProps<Done>) {
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

type ConfirmDialogProps<Done> = {
  title: string
  /** The consequences, and whether they can be undone. */
  text: ReactNode
  /** The label of the button: the action, never "OK". */
  action: string
  /** The action is irreversible or harms a user. */
  isDangerous?: boolean
  /** Asks for a reason for the audit log and passes it to `run`. */
  asksReason?: boolean
  run: (reason: string) => Promise<Done>
  onDone: (done: Done) => void
  onClose: () => void
  /** Receives errors of fields below the dialog, which closes and leaves them to show the error. */
  onWrong?: (problem: Problem) => void
  /** Additional form fields. */
  children?: ReactNode
}

/** Confirms and runs an action. Render it only while it is open. */
export function ConfirmDialog<Done>(props: ConfirmDialogProps<Done>) {
  const { asksReason, run, onWrong, children, ...dialog } = props
  return (
    <FormDialog
      {...dialog}
      run={(form) => run(valueIn(form, 'reason'))}
      onRefused={(problem) => {
        const isBeneath = Object.keys(problem.fields).some((field) => field !== 'reason')
        if (!onWrong || !isBeneath) return
        dialog.onClose()
        onWrong(problem)
      }}
    >
      {() => (
        <>
          {children}
          {asksReason ? <ReasonField /> : null}
        </>
      )}
    </FormDialog>
  )
}
