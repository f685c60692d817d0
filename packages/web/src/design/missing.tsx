import type { ReactNode } from 'react'
import { asProblem } from '../api/problem.ts'
import { Card, ErrorOf } from './feedback.tsx'
import { Waiting } from './waiting.tsx'

type Props = {
  error: unknown
  /** What is said of something that is not there. */
  text: string
  /** Where all that are there can be seen, unless the page leads there anyway. */
  back?: ReactNode
}

/** Instead of what an address names: until it came, or since it cannot. */
export function Missing({ error, text, back }: Props) {
  if (!error) return <Waiting />
  if (![400, 404].includes(asProblem(error).status)) return <ErrorOf thrown={error} />
  return (
    <Card className="grid justify-items-start gap-4">
      <p>{text}</p>
      {back}
    </Card>
  )
}
