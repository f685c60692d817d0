import { StepTitle } from './step-title.tsx'
import { texts } from './texts.ts'

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
