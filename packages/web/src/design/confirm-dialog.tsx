import type { ReactNode } from 'react'
import type { Problem } from '../api/problem.ts'
import { valueIn } from './field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { ReasonField } from './reason-field.tsx'

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

/** Asks before something is done, and does it. Render it while it is open. */
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
