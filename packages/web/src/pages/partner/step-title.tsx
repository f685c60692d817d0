import type { ReactNode } from 'react'
import { useTakenFocus } from './use-taken-focus.ts'

/** The title of a step. */
export function StepTitle({ children }: { children: ReactNode }) {
  const title = useTakenFocus<HTMLHeadingElement>()
  return (
    <h2 ref={title} tabIndex={-1} className="outline-none">
      {children}
    </h2>
  )
}
