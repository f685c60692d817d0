import {
  type EmojiId,
  merkleTree,
  parseTagList,
  paymentKey,
  paymentLookup,
  RecordError,
  readPaymentAddress,
  recordsOfTicker,
  type StoredRecord,
  signedMessage,
  signingDomain,
  type Tag,
  tagClass,
  tagInfo,
  tokenAddress,
  unknownTicker,
} from '@emojid/core'
import { invalidRequest, refusal, ServiceError } from '../../../platform/errors.ts'
import { etagOf } from '../../../platform/http/etag.ts'
import { isOneWord, quote } from '../../../platform/mail/quote.ts'
import { lookupMetric, type Window } from '../stats/index.ts'
import type { Proof, Record } from './schema.ts'

export { signedMessage, signingDomain }

export const recordsAtMost = 200

/** What is known of an id at one moment, and the answers already made from it. */
export type Entry = {
  id: EmojiId
  registered: boolean
  /** The records as JSON text, oldest first. */
  records: string
  views: number
  /** When its payment addresses change, if they wait for that; by then this is over. */
  changes_at: number | null
  /** The moment that the replica stood at when it was read there. */
  read_at?: number
  window: Window
  answers: Map<string, Answer>
  /** The answer asked for most, at hand without a name. */
  whole?: Answer
  /** The costliest one: who has it already is told so for nothing. */
  proof?: Answer
}

export type Found = { entry: Entry; was_kept: boolean }

export const memorySource = 'memory'

/** Where answers were read, for whoever wants to know how old they may be; of several, the oldest. */
export function sourceOf(found: readonly Found[], ageMs: (readAt: number) => number): string {
  const ages = found.flatMap(({ entry: { read_at }, was_kept }) =>
    was_kept || read_at === undefined ? [] : [ageMs(read_at)],
  )
  if (ages.length > 0) return `replica; behind=${(Math.max(...ages) / 1_000).toFixed(3)}`
  return found.every(({ was_kept }) => was_kept) ? memorySource : 'primary'
}

/** A record, with the key of the store entry that it came with if it did. */
export type KeptRecord = Record & { linked_to?: string }

/** Whether payments go there. */
export const isAddress = ({ tag }: Record): boolean =>
  tagClass(tag as Tag) === 'crypto' ||
  tagInfo(tag as Tag)?.payment === true ||
  /^0x6[23]00$/.test(tag)

/**
 * An address with its currency, in words for its owner: nothing else that its record says. Where any
 * text can stand in a record, it goes into mails to strangers too: quoted, told apart by its hash.
 */
export function nameAddress({ tag, data, hash }: Record): string {
  const info = tagInfo(tag as Tag)
  const read = readPaymentAddress({ tag: tag as Tag, data })
  const isFree = info?.data_form === 'text' || /^0x(?:3fff|6[23]00)$/.test(tag)
  const said = (text: string) => (isFree && !isOneWord(text) ? quote(text) : text)
  const isCut = (text = '') => ![text, `“${text}”`].includes(said(text))
  const currency = read.short_name ? said(read.short_name) : (info?.ticker ?? info?.name ?? tag)
  const network = read.settlement_network ? ` on ${said(read.settlement_network)}` : ''
  const named = `${currency}${network} ${said(read.address)}`
  const isSame = ![read.short_name, read.settlement_network, read.address].some(isCut)
  return isSame ? named : `${named} (record ${hash.slice(0, 10)})`
}

/** How its owner marked an address, in words too; empty if not at all. */
export function marksOf({ tag, data }: Record): string {
  const { description, default: isDefault } = readPaymentAddress({ tag: tag as Tag, data })
  const label = description ? [`labelled ${quote(description)}`] : []
  return [...label, ...(isDefault ? ['the default'] : [])].join(' and ')
}

type StateRow = {
  version: number
  changed_at: Date
  actor_id: string | null
  undoes: number | null
  records: unknown
  before: unknown
}

/** One change of the past as those behind the id see it: what went, what came, and by whom. */
export function showChange(row: StateRow, reader: string, people: readonly string[]) {
  const after = row.records as Record[]
  const before = row.before as Record[]
  return {
    version: row.version,
    changed_at: row.changed_at,
    undoes: row.undoes,
    by: actorOf(row.actor_id, reader, people),
    removed: recordsOnlyIn(before, after),
    added: recordsOnlyIn(after, before),
  }
}

/** The records of a set that another set lacks. */
export function recordsOnlyIn<One extends { hash: string }>(
  some: readonly One[],
  others: readonly One[],
): One[] {
  const known = new Set(others.map(({ hash }) => hash))
  return some.filter(({ hash }) => !known.has(hash))
}

function actorOf(actor_id: string | null, reader: string, people: readonly string[]) {
  if (actor_id === null) return 'directory' as const
  if (actor_id === reader) return 'you' as const
  return people.includes(actor_id) ? ('colleague' as const) : ('other' as const)
}

type Links = { [hash: string]: string }

export const withLinks = (records: readonly Record[], linked: Links): KeptRecord[] =>
  records.map((record) => {
    const linked_to = linked[record.hash]
    return linked_to === undefined ? record : { ...record, linked_to }
  })

/** As they are stored: the records in the form in which they are answered, and the links apart. */
export function toRow(kept: readonly KeptRecord[]): { records: string; linked: string } {
  const records = kept.map(({ tag, data, hash }) => ({ tag, data, hash }))
  const links = kept.flatMap(({ hash, linked_to }) => (linked_to ? [[hash, linked_to]] : []))
  return { records: JSON.stringify(records), linked: JSON.stringify(Object.fromEntries(links)) }
}

/** An answer ready to be sent: the same bytes every time, until the entry changes. */
export type Answer = { body: Buffer; etag: string }

/** Which part of an id somebody asks for, and how. */
export type View =
  | { form: 'lookup'; tags?: readonly Tag[] }
  | { form: 'ticker'; ticker: string }
  | { form: 'payment'; tags?: readonly Tag[] }
  | { form: 'token'; token: string; network: string }

/** Answers of one entry that are kept; further and odd ones are made each time. */
const answersKept = 20
const longestNameKept = 60

export function answerFor(entry: Entry, view: View): Answer {
  const name = Object.values(view).join(' ')
  const made = entry.answers.get(name)
  if (made) return made
  const answer = toAnswer(bodyFor(entry, view))
  if (name.length <= longestNameKept && entry.answers.size < answersKept) {
    entry.answers.set(name, answer)
  }
  return answer
}

function toAnswer(json: string): Answer {
  const body = Buffer.from(json)
  return { body, etag: etagOf(body) }
}

function bodyFor(entry: Entry, view: View): string {
  switch (view.form) {
    case 'lookup': {
      const metric = JSON.stringify(lookupMetric(entry.id, entry.views, entry.window))
      return `{"status":true,"result":${chosen(entry, view.tags)},"error":null,"stats":[${metric}]${waits(entry)}}`
    }
    case 'ticker':
      return payable(tickerRecords(entry, view.ticker), entry)
    case 'payment':
      return payable(paymentLookup(recordsOf(entry), view.tags), entry)
    case 'token': {
      const found = tokenAddress(recordsOf(entry), view.token, view.network)
      return payable(found ? { [paymentKey(found)]: found } : {}, entry)
    }
  }
}

const payable = (result: object, entry: Entry) =>
  `{"status":true,"result":${JSON.stringify(result)},"error":null${waits(entry)}}`

function tickerRecords(entry: Entry, ticker: string): Record[] {
  return asRefusal(() => {
    const records = recordsOfTicker(recordsOf(entry), ticker)
    if (!records) throw unknownTicker(ticker)
    return records
  })
}

/** The member that says when payment addresses change; nothing where none does. */
const waits = ({ changes_at }: Entry): string =>
  changes_at === null ? '' : `,"changes_at":"${new Date(changes_at).toISOString()}"`

export function recordsOf({ records }: Entry): (Record & StoredRecord)[] {
  return JSON.parse(records)
}

function chosen(entry: Entry, tags: readonly Tag[] | undefined): string {
  if (!tags) return entry.records
  return JSON.stringify(recordsOf(entry).filter(({ tag }) => tags.includes(tag)))
}

/** One id of a batch, as JSON text: its records are text already. */
export function foundItem(text: string, entry: Entry, tags: readonly Tag[] | undefined): string {
  const result = chosen(entry, tags)
  return `{"emoji_id":${JSON.stringify(text)},"status":true,"result":${result},"error":null${waits(entry)}}`
}

export function refusedItem(emoji_id: string, { kind, code, message }: ServiceError): string {
  const isAboutList = code === 'repeated' || code === 'too_large'
  const status = kind === 'not_found' ? '404' : '400'
  const error = { code: isAboutList ? code : status, reason: message }
  return JSON.stringify({ emoji_id, status: false, result: null, error })
}

type SignedSet = {
  pubkey: string | null
  records: unknown
  version: number
  changed_at: Date | null
  merkle_root: string | null
  signer: string | null
  nonce: string | null
  signature: string | null
}

/** All that somebody needs to check an answer without trusting whoever gave it. */
export function proofOf(id: EmojiId, set: SignedSet): Answer {
  const records = (set.records ?? []) as Record[]
  const { root: merkle_root, proofOf: stepsOf } = merkleTree(records.map(({ hash }) => hash))
  const { pubkey, version, changed_at, signer, nonce, signature } = set
  const isSigned = signer && nonce && signature && set.merkle_root === merkle_root
  const proof: Proof = {
    emoji_id: id,
    pubkey,
    version,
    changed_at,
    merkle_root,
    domain: signingDomain,
    message: signedMessage(id, merkle_root),
    signature: isSigned ? { signer, nonce, signature } : null,
    records: records.map((record) => ({ ...record, proof: stepsOf(record.hash) })),
  }
  return toAnswer(JSON.stringify(proof))
}

/** The `tags` parameter: nothing given means all. */
export function readTags(text: string | undefined): readonly Tag[] | undefined {
  const tags = asRefusal(() => parseTagList(text ?? ''))
  return tags.length > 0 ? tags : undefined
}

export function readPaymentView(query: { tags?: string; token?: string; network?: string }): View {
  const { token, network } = query
  if (token === undefined && network === undefined) {
    const tags = readTags(query.tags)
    return { form: 'payment', ...(tags ? { tags } : {}) }
  }
  if (!token || !network) {
    throw invalidRequest('Give token and network together.')
  }
  return { form: 'token', token: token.toUpperCase(), network: network.toUpperCase() }
}

function asRefusal<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RecordError)) throw error
    throw new ServiceError('invalid', error.code, error.message, { cause: error })
  }
}

/** What was read could not be brought up to date. */
export const unsettled = () =>
  refusal('unavailable', 'restless', 'This id is being changed right now. Try again shortly.', {
    retry_after_seconds: 1,
  })

export const tooManyRecords = () =>
  refusal(
    'refused',
    'too_many_records',
    `An id has at most ${recordsAtMost} records, those that wait for their time included.`,
  )
