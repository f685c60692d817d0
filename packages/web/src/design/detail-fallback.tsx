import type { ReactNode } from 'react'
import { asProblem } from '../api/problem.ts'
import { Card, ErrorOf } from './feedback.tsx'
import { Waiting } from './waiting.tsx'

type Props = {
  error: unknown
  /** Shown if the thing does not exist. */
  text: string
  /** A link to the list, unless the page has one already. */
  back?: ReactNode
}

/** Replaces a detail page while it loads, or when it does not exist. */
export function DetailFallback({ error, text, back }: Props) {
  if (!error) return <Waiting />
  if (![400, 404].includes(asProblem(error).status)) return <ErrorOf thrown={error} />
  return (
    <Card className="grid justify-items-start gap-4">
      <p>{text}</p>
      {back}
    </Card>
  )
}
