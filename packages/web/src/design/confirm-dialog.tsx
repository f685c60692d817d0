import type { ReactNode } from 'react'
import type { Problem } from '../api/problem.ts'
import { valueIn } from './field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { ReasonField } from './reason-field.tsx'

type Props<Done> = {
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
export function ConfirmDialog<Done>(props: Props<Done>) {
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
