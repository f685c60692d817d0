import { Badge } from '../../../design/badge.tsx'
import { Money } from '../../../design/money.tsx'
import type { Code } from './queries.ts'
import { texts } from './texts.ts'

/** Whether a code can be used, and why not. */
export function CodeState({ deleted_at, start_date, end_date, available }: Code) {
  const now = new Date()
  if (deleted_at) return <Badge tone="wrong">{texts.states.deleted}</Badge>
  if (end_date && new Date(end_date) <= now) return <Badge>{texts.states.ended}</Badge>
  if (start_date && new Date(start_date) > now) return <Badge>{texts.states.early}</Badge>
  if (available === 0) return <Badge>{texts.states.usedUp}</Badge>
  return <Badge tone="good">{texts.states.open}</Badge>
}

export const CodeAmount = ({ discount_as_percentage, discount_in_cents }: Code) =>
  discount_in_cents === null ? (
    <span className="tabular-nums">{texts.percent(discount_as_percentage ?? 0)}</span>
  ) : (
    <Money cents={discount_in_cents} />
  )
