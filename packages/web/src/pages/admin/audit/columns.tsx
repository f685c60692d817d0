import { spokenNames } from '@emojid/core'
import { Fragment, type ReactNode } from 'react'
import { Badge } from '../../../design/badge.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { moneyText } from '../../../design/money.tsx'
import { CodeLink, IdLink, OrderLink, PersonLink } from '../parts/links.tsx'
import type { AuditEntry } from './queries.ts'
import { readSentence } from './read-sentence.ts'
import { sentences } from './sentences.ts'
import { eventTexts, texts } from './texts.ts'

export const auditColumns: Column<AuditEntry>[] = [
  {
    title: texts.columns.what,
    show: (entry) => (
      <span className="grid gap-2">
        <Sentence entry={entry} />
        <RawData entry={entry} />
      </span>
    ),
  },
  {
    title: texts.columns.when,
    show: ({ at }) => (
      <span className="whitespace-nowrap">
        <When at={at} isExact />
      </span>
    ),
  },
]

type Data = Record<string, unknown>

/** Actor, event, objects, subject and reason as a sentence. */
function Sentence({ entry }: { entry: AuditEntry }) {
  const { event, result, actor_id, actor_email } = entry
  const data = (entry.details ?? {}) as Data
  const objects = objectsOf(entry, data)
  const pieces = readSentence(sentences[event] ?? '{none}', (name) => objects.has(name))
  const named = new Set(pieces?.flatMap((piece) => ('object' in piece ? [piece.object] : [])))
  const others = [...objects].filter(([name]) => !named.has(name))
  return (
    <span className="block wrap-anywhere md:min-w-72">
      <Person id={actor_id} email={actor_email} />{' '}
      {pieces?.map((piece, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of an entry never change
        <Fragment key={nth}>
          {'object' in piece ? (
            objects.get(piece.object)
          ) : (
            <span className="font-semibold">{piece.words}</span>
          )}
        </Fragment>
      )) ?? <span className="font-semibold">{eventTexts[event] ?? event}</span>}
      {others.map(([name, object]) => (
        <Fragment key={name}>
          {' '}
          {name === 'person' ? `${texts.about} ` : null}
          {object}
        </Fragment>
      ))}
      {typeof data['reason'] === 'string' ? (
        <span className="text-soft">
          . {texts.reason}: <bdi className="text-ink">{data['reason']}</bdi>
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

/** The things that the entry names, in the order in which they follow a plain text. */
function objectsOf(entry: AuditEntry, data: Data): Map<string, ReactNode> {
  const { actor_id, subject_id, subject_email } = entry
  const { emoji_id, emoji_ids, pattern, order_id, code_id, lootbox_id } = data
  const { amount_in_cents, from, to, task, list, name, host } = data
  const ids = [emoji_id, emoji_ids].flat().filter(isId)
  const quoted = { name, list, task, host }
  const objects = new Map<string, ReactNode>()
  if (ids.length > 0) objects.set('ids', <Ids ids={ids} />)
  if (isText(pattern)) objects.set('pattern', <span lang="zxx">{pattern}</span>)
  else if (ids.length > 0 && entry.event.endsWith('reserved')) {
    objects.set('pattern', <Ids ids={ids} />)
    objects.delete('ids')
  }
  for (const [key, value] of Object.entries(quoted)) {
    if (isText(value)) objects.set(key, <bdi>{texts.quoted(value)}</bdi>)
  }
  if (isText(lootbox_id)) objects.set('lootbox', texts.lootbox(lootbox_id.slice(0, 8)))
  if (isText(from) && isText(to)) objects.set('change', texts.change(from, to))
  if (typeof amount_in_cents === 'number') {
    objects.set('amount', texts.amount(moneyText(amount_in_cents)))
  }
  if (isText(order_id)) {
    objects.set('order', <OrderLink id={order_id}>{texts.order(order_id.slice(-8))}</OrderLink>)
  }
  if (isText(code_id)) {
    objects.set('code', <CodeLink id={code_id}>{texts.code(code_id.slice(-8))}</CodeLink>)
  }
  if (subject_id !== null && subject_id !== actor_id) {
    objects.set('person', <Person id={subject_id} email={subject_email} />)
  }
  return objects
}

const Ids = ({ ids }: { ids: readonly string[] }) => (
  <>
    {ids.slice(0, shownIds).map((id, nth) => (
      <Fragment key={id}>
        {nth > 0 ? ' ' : null}
        <IdLink id={id} />
      </Fragment>
    ))}
    {ids.length > shownIds ? ` ${texts.moreIds(ids.length - shownIds)}` : null}
  </>
)

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Old entries may contain ids that are no longer valid. */
function isId(value: unknown): value is string {
  try {
    return typeof value === 'string' && spokenNames(value) !== ''
  } catch {
    return false
  }
}

/** Everything that the entry stores, folded away. */
function RawData({ entry }: { entry: AuditEntry }) {
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
