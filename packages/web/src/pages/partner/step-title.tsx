import { type ReactNode, useEffect, useRef } from 'react'
import { texts } from './texts.ts'

/** The title of a step. */
export function StepTitle({ children }: { children: ReactNode }) {
  const title = useStepFocus<HTMLHeadingElement>()
  return (
    <h2 ref={title} tabIndex={-1} className="outline-none">
      {children}
    </h2>
  )
}

export const FlowSteps = ({ flow }: { flow: 'create' | 'connect' }) => (
  <div className="grid gap-4">
    <StepTitle>{texts.steps.title}</StepTitle>
    <ol className="grid gap-3">
      {texts.steps[flow].map((step, nth) => (
        <li key={step} className="flex items-center gap-3">
          <span
            aria-hidden="true"
            className="grid size-8 shrink-0 place-items-center rounded-full bg-tint font-semibold text-main"
          >
            {nth + 1}
          </span>
          {step}
        </li>
      ))}
    </ol>
  </div>
)

/** Moves the focus to a new step, because the pressed element is unmounted. */
export function useStepFocus<Node extends HTMLElement>() {
  const place = useRef<Node>(null)
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [])
  return place
}
