import { Spinner } from './button.tsx'
import { texts } from './texts.ts'

export const Waiting = ({ text = texts.waiting }: { text?: string }) => (
  <p role="status" className="flex items-center gap-3 py-3 text-soft">
    <Spinner />
    {text}
  </p>
)
