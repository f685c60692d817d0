import { Fragment, type ReactNode } from 'react'
import { Badge } from '../../../design/badge.tsx'
import { moneyText } from '../../../design/money.tsx'
import { CodeLink, IdLink, OrderLink, PersonLink } from '../parts/links.tsx'
import { isId } from './is-id.ts'
import type { AuditEntry } from './queries.ts'
import { eventTexts, texts } from './texts.ts'

type Data = Record<string, unknown>

/** Actor, event, objects, subject and reason as a sentence. */
export function Sentence({ entry }: { entry: AuditEntry }) {
  const { event, result, actor_id, actor_email, subject_id, subject_email } = entry
  const data = (entry.details ?? {}) as Data
  const isAboutAnother = subject_id !== null && subject_id !== actor_id
  return (
    <span className="block wrap-anywhere md:min-w-72">
      <Person id={actor_id} email={actor_email} />{' '}
      <span className="font-semibold">{eventTexts[event] ?? event}</span>
      {objectsOf(data).map((object, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the objects of an entry never change
        <Fragment key={nth}> {object}</Fragment>
      ))}
      {isAboutAnother ? (
        <>
          {' '}
          {texts.about} <Person id={subject_id} email={subject_email} />
        </>
      ) : null}
      {typeof data['reason'] === 'string' ? (
        <span className="text-soft">
          . {texts.reason}: <span className="text-ink">{data['reason']}</span>
        </span>
      ) : null}
      {result === 'refused' ? (
        <>
          {' '}
          <Badge tone="wrong">{texts.refused}</Badge>
        </>
      ) : null}
    </span>
  )
}

const Person = ({ id, email }: { id: string | null; email: string | null }) =>
  id ? <PersonLink id={id} email={email} nameless={texts.gone} /> : texts.service

/** An order can have a hundred ids. */
const shownIds = 6

/** The things that the entry names, in the order of the sentence. */
function objectsOf(data: Data): ReactNode[] {
  const { emoji_id, emoji_ids, order_id, code_id, amount_in_cents, from, to, task, list, name } =
    data
  const ids = [emoji_id, emoji_ids].flat().filter(isId)
  return [
    ...ids.slice(0, shownIds).map((id) => <IdLink key={id} id={id} />),
    ...(ids.length > shownIds ? [texts.moreIds(ids.length - shownIds)] : []),
    ...(isText(name) ? [texts.quoted(name)] : []),
    ...(isText(list) ? [texts.quoted(list)] : []),
    ...(isText(task) ? [texts.quoted(task)] : []),
    ...(isText(from) && isText(to) ? [texts.change(from, to)] : []),
    ...(typeof amount_in_cents === 'number' ? [texts.amount(moneyText(amount_in_cents))] : []),
    ...(isText(order_id)
      ? [
          <OrderLink key="order" id={order_id}>
            {texts.order(order_id.slice(-8))}
          </OrderLink>,
        ]
      : []),
    ...(isText(code_id)
      ? [
          <CodeLink key="code" id={code_id}>
            {texts.code(code_id.slice(-8))}
          </CodeLink>,
        ]
      : []),
  ]
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''
