import type { BodyOf } from '../../api/shapes.ts'
import { Checkbox } from '../../design/choice.tsx'
import { texts } from './texts.ts'

export type EventType = NonNullable<BodyOf<'createWebhookEndpoint'>['types']>[number]

const eventTypes: readonly EventType[] = [
  'emoji_id.registered',
  'emoji_id.records_changed',
  'emoji_id.transferred',
  'emoji_id.released',
  'emoji_id.suspended',
  'emoji_id.restored',
  'order.paid',
  'order.refunded',
  'transfer.offered',
  'transfer.accepted',
]

type Props = {
  types: readonly EventType[]
  onChange: (types: EventType[]) => void
}

export function EventTypes({ types, onChange }: Props) {
  const toggle = (type: EventType) =>
    onChange(types.includes(type) ? types.filter((one) => one !== type) : [...types, type])
  return (
    <fieldset className="grid gap-1 sm:grid-cols-2">
      <legend className="font-semibold">{texts.form.legend}</legend>
      <p className="text-sm text-soft sm:col-span-2">{texts.form.typesHint}</p>
      {eventTypes.map((type) => (
        <Checkbox
          key={type}
          label={type}
          checked={types.includes(type)}
          onChange={() => toggle(type)}
        />
      ))}
    </fieldset>
  )
}
