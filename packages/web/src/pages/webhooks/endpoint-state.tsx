import type { AnswerOf } from '../../api/shapes.ts'
import { Badge, type Tone } from '../../design/badge.tsx'
import { When } from '../../design/date.tsx'
import { texts } from './texts.ts'

type Endpoint = Pick<
  AnswerOf<'showWebhookEndpoint'>,
  'status' | 'status_reason' | 'note' | 'failing_since' | 'hold_until'
>

const tones: Record<Endpoint['status'], Tone> = {
  active: 'good',
  paused: 'plain',
  disabled: 'wrong',
  stopped: 'wrong',
}

/** The state of an endpoint and its reason. */
export const EndpointState = ({
  status,
  status_reason,
  note,
  failing_since,
  hold_until,
}: Endpoint) => (
  <span className="grid justify-items-start gap-1">
    <Badge tone={tones[status]}>{texts.statuses[status]}</Badge>
    {status_reason ? <span className="text-sm">{note ?? texts.reasons[status_reason]}</span> : null}
    {status === 'active' && failing_since ? (
      <span className="text-sm text-soft">
        {texts.failingSince} <When at={failing_since} />
      </span>
    ) : null}
    {status === 'active' && hold_until ? (
      <span className="text-sm text-soft">
        {texts.nextTry} <When at={hold_until} />
      </span>
    ) : null}
  </span>
)

export const typesInWords = (types: readonly string[]): string =>
  types.length === 0 ? texts.allTypes : types.join(', ')
