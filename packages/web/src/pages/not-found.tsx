import { Link } from '@tanstack/react-router'
import { Button, buttonLook } from '../design/button.tsx'
import { ErrorOf } from '../design/feedback.tsx'
import { texts } from '../texts/en.ts'

export const NotFound = () => (
  <div className="grid justify-items-start gap-4">
    <h1>{texts.notFound.title}</h1>
    <p>{texts.notFound.text}</p>
    <Link to="/" className={buttonLook()}>
      {texts.notFound.home}
    </Link>
  </div>
)

export const Broken = ({ error, reset }: { error: unknown; reset: () => void }) => (
  <div className="grid justify-items-start gap-4">
    <h1>{texts.broken.title}</h1>
    <ErrorOf thrown={error} />
    <Button onClick={reset}>{texts.broken.again}</Button>
  </div>
)
