import { moneyText } from '../../../design/money.tsx'
import type { AuditEntry } from './queries.ts'
import { texts } from './texts.ts'

/** Everything that the entry stores, folded away. */
export function RawData({ entry }: { entry: AuditEntry }) {
  const { id, event, result, request_id, actor_id, subject_id, details } = entry
  const storedEntry = {
    id,
    event,
    result,
    actor_id,
    subject_id,
    request_id,
    ...(details as object),
  }
  const members = Object.entries(storedEntry).filter(([, value]) => value !== null)
  return (
    <details className="text-sm">
      <summary className="min-h-6 w-fit cursor-pointer text-soft">
        {texts.data}
        <span className="sr-only"> {texts.ofEntry(id)}</span>
      </summary>
      <dl className="mt-2 grid gap-1">
        {members.map(([name, value]) => (
          <div key={name} className="wrap-anywhere">
            <dt className="inline text-soft">{wordsOf(name)}: </dt>
            <dd className="inline">{textOf(name, value)}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

const wordsOf = (name: string): string => name.replace(/_in_cents$/, '').replaceAll('_', ' ')

function textOf(name: string, value: unknown): string {
  if (name.endsWith('_in_cents') && typeof value === 'number') return moneyText(value)
  const values = Array.isArray(value) ? value : [value]
  return values.every((one) => typeof one !== 'object') ? values.join(', ') : JSON.stringify(value)
}
