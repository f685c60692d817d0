import { Badge, type Tone } from '../../../design/badge.tsx'
import type { DisputeView } from './queries.ts'
import { texts } from './texts.ts'

const { states } = texts
const tones: Record<keyof typeof states, Tone> = {
  open: 'main',
  won: 'good',
  lost: 'plain',
  waiting: 'wrong',
}

type Props = { dispute: Pick<DisputeView, 'status' | 'awaits_decision'> }

/** The state of a dispute, and whether an operator has to decide. */
export function DisputeState({ dispute: { status, awaits_decision } }: Props) {
  return (
    <span className="flex flex-wrap gap-2">
      <Badge tone={tones[status]}>{states[status]}</Badge>
      {awaits_decision ? <Badge tone={tones.waiting}>{states.waiting}</Badge> : null}
    </span>
  )
}
