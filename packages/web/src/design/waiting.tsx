import { Spinner } from './button.tsx'
import { texts } from './texts.ts'

/** Something is under way, and there is nothing to do but wait. */
export const Waiting = ({ text = texts.waiting }: { text?: string }) => (
  <p role="status" className="flex items-center gap-3 py-3 text-soft">
    <Spinner />
    {text}
  </p>
)
