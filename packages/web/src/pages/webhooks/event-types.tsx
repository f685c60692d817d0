import { Checkbox } from '../../design/choice.tsx'
import { type EventType, eventTypes } from '../account/webhooks/queries.ts'

type Props = {
  texts: { legend: string; typesHint: string }
  types: readonly EventType[]
  onChange: (types: EventType[]) => void
}

export function EventTypes({ texts, types, onChange }: Props) {
  const toggle = (type: EventType) =>
    onChange(types.includes(type) ? types.filter((one) => one !== type) : [...types, type])
  return (
    <fieldset className="grid gap-1 sm:grid-cols-2">
      <legend className="font-semibold">{texts.legend}</legend>
      <p className="text-sm text-soft sm:col-span-2">{texts.typesHint}</p>
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
