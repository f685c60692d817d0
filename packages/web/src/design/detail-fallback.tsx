import type { ReactNode } from 'react'
import { asProblem } from '../api/problem.ts'
import { Card, ErrorOf } from './feedback.tsx'
import { Waiting } from './waiting.tsx'

type Props = {
  error: unknown
  /** For pages without another title. */
  title?: string
  /** Shown if the thing does not exist. */
  text: string
  /** A link to the list, unless the page has one already. */
  back?: ReactNode
}

/** Replaces a detail page while it loads, or when it does not exist. */
export function DetailFallback({ error, title, text, back }: Props) {
  if (!error) return <Waiting />
  const isMissing = [400, 404].includes(asProblem(error).status)
  if (!isMissing && !title) return <ErrorOf thrown={error} />
  return (
    <Card className="grid justify-items-start gap-4">
      {title ? <h1>{title}</h1> : null}
      {isMissing ? <p>{text}</p> : <ErrorOf thrown={error} />}
      {back}
    </Card>
  )
}
