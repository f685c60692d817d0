import type { ReactNode } from 'react'
import { useStepFocus } from './use-step-focus.ts'

/** The title of a step. */
export function StepTitle({ children }: { children: ReactNode }) {
  const title = useStepFocus<HTMLHeadingElement>()
  return (
    <h2 ref={title} tabIndex={-1} className="outline-none">
      {children}
    </h2>
  )
}
