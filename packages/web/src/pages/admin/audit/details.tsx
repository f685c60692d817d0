import { EmojiId, spokenNames } from '../../../design/emoji-id.tsx'
import { moneyText } from '../../../design/money.tsx'
import { CodeLink, OrderLink } from '../parts/links.tsx'
import type { AuditEntry } from './queries.ts'
import { texts } from './texts.ts'

/** The reason and details of an entry, with links. */
export function Details({ details }: Pick<AuditEntry, 'details'>) {
  const { reason, order_id, code_id, ...others } = (details ?? {}) as Record<string, unknown>
  const rest = Object.entries(others).filter(([, value]) => !isEmpty(value))
  if (!reason && !order_id && !code_id && rest.length === 0) return texts.noDetails
  return (
    <span className="grid gap-1 text-sm md:min-w-72">
      {typeof reason === 'string' ? (
        <span className="wrap-anywhere">
          <span className="text-soft">{texts.reason}: </span>
          <span className="font-semibold">{reason}</span>
        </span>
      ) : null}
      {typeof order_id === 'string' ? (
        <span>
          <OrderLink id={order_id}>
            {texts.order} {order_id.slice(-8)}
          </OrderLink>
        </span>
      ) : null}
      {typeof code_id === 'string' ? (
        <span>
          <CodeLink id={code_id}>
            {texts.code} {code_id.slice(-8)}
          </CodeLink>
        </span>
      ) : null}
      {rest.map(([name, value]) => (
        <span key={name} className="wrap-anywhere">
          <span className="text-soft">{wordsOf(name)}: </span>
          <Value name={name} value={value} />
        </span>
      ))}
    </span>
  )
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0)

const wordsOf = (name: string): string => name.replace(/_in_cents$/, '').replaceAll('_', ' ')

type ValueProps = { name: string; value: unknown }

function Value({ name, value }: ValueProps) {
  if (name.endsWith('_in_cents') && typeof value === 'number') return moneyText(value)
  const values = Array.isArray(value) ? value : [value]
  if (/^emoji_ids?$/.test(name) && values.every(isId)) {
    return values.map((id) => (
      <span key={id} className="mr-2 inline-block">
        <EmojiId id={id} size="small" />
      </span>
    ))
  }
  if (values.every((one) => typeof one !== 'object')) return values.join(', ')
  return JSON.stringify(value)
}

/** Old entries may contain ids that are no longer valid. */
function isId(value: unknown): value is string {
  try {
    return typeof value === 'string' && spokenNames(value) !== ''
  } catch {
    return false
  }
}
