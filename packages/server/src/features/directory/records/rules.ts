import {
  byRecency,
  type EmojiId,
  isNetworkOf,
  merkleTreeInParts,
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
import { invalidRequest, refusal, refusalIn, ServiceError } from '../../../platform/errors.ts'
import { etagOf } from '../../../platform/http/etag.ts'
import { isOneWord, quote } from '../../../platform/mail/quote.ts'
import { hourMs } from '../../../platform/time.ts'
import { lookupMetric, type Window } from '../stats/stats.ts'
import type { Proof, Record } from './schema.ts'

export { signedMessage, signingDomain }

export const recordsAtMost = 200
/** In bytes of the JSON text of all records of an id. */
const recordBytesAtMost = 64 * 1024
/** The newest states of an id that keep their records; older ones keep only a hash. */
export const fullStates = 100
/** Longer than an undo link is valid: it compares states. */
export const undoableMs = 2 * hourMs

/** A snapshot of an id, and the responses already built from it. */
export type Entry = {
  id: EmojiId
  registered: boolean
  /** The records as JSON text, in the order of their owner. */
  records: string
  views: number
  /** When its payment addresses change; the entry is stale from then on. */
  changes_at: number | null
  /** An operator has suspended the id: every lookup is refused. */
  suspended: boolean
  /** The replica's position in time when the entry was read from it. */
  read_at?: number
  window: Window
  /** The parsed records, shared by all responses. */
  parsed?: readonly (Record & StoredRecord)[]
  /** The most frequent response. */
  whole?: Answer
  /** All other responses of the version. */
  answers: PreparedAnswers
}

/** The responses of one entry in a cache that all entries share, limited in bytes. */
export type PreparedAnswers = {
  get(name: string): Answer | undefined
  put(name: string, answer: Answer): void
}

/** The text of the records, parsed records and the whole response, with room for wide characters. */
export const memoryOf = ({ records }: Pick<Entry, 'records'>): number => 1_000 + 6 * records.length
export const memoryOfAnswer = ({ body }: Answer): number => 500 + body.length

export type Lookup = { entry: Entry; was_kept: boolean }

export const memorySource = 'memory'

/** The source of a response, for clients that need its age; of several, the oldest. */
export function sourceOf(lookups: readonly Lookup[], ageMs: (readAt: number) => number): string {
  const ages = lookups.flatMap(({ entry: { read_at }, was_kept }) =>
    was_kept || read_at === undefined ? [] : [ageMs(read_at)],
  )
  if (ages.length > 0) return `replica; behind=${(Math.max(...ages) / 1_000).toFixed(3)}`
  return lookups.every(({ was_kept }) => was_kept) ? memorySource : 'primary'
}

/** A record, with the key of its store entry if it came with one. */
export type KeptRecord = Record & { linked_to?: string }

/** Whether the record is a payment address. */
export const isAddress = ({ tag }: Record): boolean =>
  tagClass(tag as Tag) === 'crypto' ||
  tagInfo(tag as Tag)?.payment === true ||
  /^0x6[23]00$/.test(tag)

/** Comparing two states of an id asks for the name of each record several times. */
const namesOfRecords = new WeakMap<Record, string>()

/**
 * Describes an address and its currency without other text of the record. A free-text address may
 * reach strangers by email: it is quoted and identified by its hash.
 */
export function nameAddress(record: Record): string {
  const name = namesOfRecords.get(record) ?? describeAddress(record)
  namesOfRecords.set(record, name)
  return name
}

function describeAddress({ tag, data, hash }: Record): string {
  const info = tagInfo(tag as Tag)
  const read = readPaymentAddress({ tag: tag as Tag, data })
  const isFree = ['text', 'ticker_address', 'token'].includes(info?.data_form ?? '')
  const quoteIfNeeded = (text: string) => (isFree && !isOneWord(text) ? quote(text) : text)
  const isCut = (text = '') => ![text, `“${text}”`].includes(quoteIfNeeded(text))
  const currency = read.short_name
    ? quoteIfNeeded(read.short_name)
    : (info?.ticker ?? info?.name ?? tag)
  const network = read.settlement_network ? ` on ${quoteIfNeeded(read.settlement_network)}` : ''
  const named = `${currency}${network} ${quoteIfNeeded(read.address)}`
  const isSame = ![read.short_name, read.settlement_network, read.address].some(isCut)
  return isSame ? named : `${named} (record ${hash.slice(0, 10)})`
}

/** Describes the label and the default mark of an address; empty without either. */
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
  records_sha256: string | null
  /** Undefined for a state of which only the hash is kept. */
  records: readonly Record[] | undefined
  before: readonly Record[] | undefined
}

/** One change for the owners of the id: removed and added records, and the author. */
export function showChange(row: StateRow, reader: string, people: readonly string[]) {
  const is_kept = row.before !== undefined && row.records !== undefined
  const before = (is_kept && row.before) || []
  const after = (is_kept && row.records) || []
  return {
    version: row.version,
    changed_at: row.changed_at,
    undoes: row.undoes,
    by: actorOf(row.actor_id, reader, people),
    is_kept,
    ...(row.records_sha256 ? { records_sha256: row.records_sha256 } : {}),
    removed: recordsOnlyIn(before, after),
    added: recordsOnlyIn(after, before),
    reordered: isReordered(before, after),
  }
}

/** The records of a set that another set lacks. */
export function recordsOnlyIn<One extends { hash: string }>(
  some: readonly One[],
  others: readonly One[],
): One[] {
  const knownHashes = new Set(others.map(({ hash }) => hash))
  return some.filter(({ hash }) => !knownHashes.has(hash))
}

/** The categories whose records, or their order, differ. */
export function changedTags(before: readonly Record[], after: readonly Record[]): string[] {
  const [old, current] = [hashesByTag(before), hashesByTag(after)]
  const tags = [...new Set([...old.keys(), ...current.keys()])].sort()
  return tags.filter((tag) => old.get(tag) !== current.get(tag))
}

function hashesByTag(records: readonly Record[]): Map<string, string> {
  const hashes = new Map<string, string>()
  for (const { tag, hash, recent = '' } of records)
    hashes.set(tag, `${hashes.get(tag) ?? ''} ${hash} ${recent}`)
  return hashes
}

type Ordered = { hash: string; recent?: number }

/** Whether the records that stay have another order, in the list or for payments. */
export const isReordered = (before: readonly Ordered[], after: readonly Ordered[]): boolean =>
  haveOtherPlaces(before, after) || haveOtherPlaces(byRecency(before), byRecency(after))

function haveOtherPlaces(before: readonly Ordered[], after: readonly Ordered[]): boolean {
  const removedRecords = new Set(recordsOnlyIn(before, after))
  const addedRecords = new Set(recordsOnlyIn(after, before))
  const stayed = after.filter((record) => !addedRecords.has(record))
  return before
    .filter((record) => !removedRecords.has(record))
    .some(({ hash }, place) => stayed[place]?.hash !== hash)
}

/** Puts records into the places of others, in order; the rest comes last. */
export function fillPlaces(
  records: readonly KeptRecord[],
  isPlace: (record: KeptRecord) => boolean,
  fillers: readonly KeptRecord[],
): KeptRecord[] {
  const remainingRecords = [...fillers]
  const filledRecords = records.flatMap((record) =>
    isPlace(record) ? remainingRecords.splice(0, 1) : [record],
  )
  return [...filledRecords, ...remainingRecords]
}

function actorOf(actor_id: string | null, reader: string, people: readonly string[]) {
  if (actor_id === null) return 'directory' as const
  if (actor_id === reader) return 'you' as const
  return people.includes(actor_id) ? ('colleague' as const) : ('other' as const)
}

type Links = { [hash: string]: string }

export const withLinks = (records: readonly Record[], linkedLinks: Links): KeptRecord[] =>
  records.map((record) => {
    const linked_to = linkedLinks[record.hash]
    return linked_to === undefined ? record : { ...record, linked_to }
  })

/** Splits records into the JSON text that lookups return and their links. */
export function toRow(recordList: readonly KeptRecord[]): { records: string; linked: string } {
  const records = recordList.map(({ linked_to: _linked, ...record }) => record)
  const links = recordList.flatMap(({ hash, linked_to }) => (linked_to ? [[hash, linked_to]] : []))
  return { records: JSON.stringify(records), linked: JSON.stringify(Object.fromEntries(links)) }
}

/**
 * Records from before the limit may exceed it, and stay as they are until an edit makes them smaller.
 */
export function assertSize(
  before: readonly KeptRecord[],
  after: readonly KeptRecord[],
  atMost = recordBytesAtMost,
): void {
  const bytes = bytesOf(after)
  if (bytes > atMost && bytes >= bytesOf(before)) throw tooLargeRecords()
}

/** An undo restores addresses beside records that came since, so it may exceed the limit. */
export const assertSizeOfUndo = (
  before: readonly KeptRecord[],
  after: readonly KeptRecord[],
): void => assertSize(before, after, 2 * recordBytesAtMost)

const bytesOf = (records: readonly KeptRecord[]): number =>
  Buffer.byteLength(toRow(records).records)

const auditedRecords = 20

/** A change for the audit log: the records are in the history, so their hashes are enough. */
export const auditedChange = (change: {
  inserted: readonly Record[]
  removed: readonly string[]
}) => ({
  inserted: change.inserted.slice(0, auditedRecords).map(({ tag, hash }) => ({ tag, hash })),
  inserted_count: change.inserted.length,
  removed: change.removed.slice(0, auditedRecords),
  removed_count: change.removed.length,
})

/** A response body that stays the same until the entry changes. */
export type Answer = { body: Buffer; etag: string }

/** The part of an id that a client requests. */
export type View =
  | { form: 'lookup'; tags?: readonly Tag[] }
  | { form: 'ticker'; ticker: string }
  | { form: 'payment'; tags?: readonly Tag[] }
  | { form: 'token'; token: string; network: string }

const longestNameKept = 60

const nameOfView = (view: View): string => Object.values(view).join(' ')

/** Whether `answerFor` only has to look the response up. */
export const isPrepared = (entry: Entry, view: View): boolean =>
  view.form === 'lookup' && !view.tags
    ? entry.whole !== undefined
    : entry.answers.get(nameOfView(view)) !== undefined

export function answerFor(entry: Entry, view: View): Answer {
  if (view.form === 'lookup' && !view.tags) {
    entry.whole ??= toAnswer(bodyFor(entry, view))
    return entry.whole
  }
  const name = nameOfView(view)
  const response = entry.answers.get(name)
  if (response) return response
  const answer = toAnswer(bodyFor(entry, view))
  if (name.length <= longestNameKept) entry.answers.put(name, answer)
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
      return `{"status":true,"result":${filterRecords(entry, view.tags)},"error":null,"stats":[${metric}]${waits(entry)}}`
    }
    case 'ticker':
      return payable(tickerRecords(entry, view.ticker), entry)
    case 'payment':
      return payable(paymentLookup(recordsOf(entry), view.tags), entry)
    case 'token': {
      const records = recordsOf(entry)
      const address = tokenAddress(records, view.token, view.network)
      if (!isNetworkOf(records, view.network)) throw unknownNetwork(view.network)
      return payable(address ? { [paymentKey(address)]: address } : {}, entry)
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

/** The JSON member for the time of a planned change; empty without one. */
const waits = ({ changes_at }: Entry): string =>
  changes_at === null ? '' : `,"changes_at":"${new Date(changes_at).toISOString()}"`

export function recordsOf(entry: Entry): readonly (Record & StoredRecord)[] {
  entry.parsed ??= JSON.parse(entry.records) as (Record & StoredRecord)[]
  return entry.parsed
}

function filterRecords(entry: Entry, tags: readonly Tag[] | undefined): string {
  if (!tags) return entry.records
  const wanted = new Set<string>(tags)
  return JSON.stringify(recordsOf(entry).filter(({ tag }) => wanted.has(tag)))
}

/** One id of a batch as JSON text: its records are already text. */
export function foundItem(text: string, entry: Entry, tags: readonly Tag[] | undefined): string {
  const result = filterRecords(entry, tags)
  const name = text === entry.id ? '' : `,"canonical_format":${JSON.stringify(entry.id)}`
  return `{"emoji_id":${JSON.stringify(text)}${name},"status":true,"result":${result},"error":null${waits(entry)}}`
}

export function refusedItem(emoji_id: string, { kind, code, message }: ServiceError): string {
  const isNamed = ['repeated', 'too_large', 'suspended'].includes(code)
  const status = kind === 'not_found' ? '404' : '400'
  const error = { code: isNamed ? code : status, reason: message }
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

/** Everything a client needs to verify a response without trusting the server. */
export async function proofOf(
  id: EmojiId,
  set: SignedSet,
  pause: () => Promise<void> | undefined,
): Promise<Answer> {
  const records = (set.records ?? []) as Record[]
  const hashes = records.map(({ hash }) => hash)
  const { root: merkle_root, proofOf: stepsOf } = await merkleTreeInParts(hashes, pause)
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

const tagsAtMost = 200

/** Parses the `tags` parameter; undefined means all. */
export function readTags(text: string | undefined): readonly Tag[] | undefined {
  const tags = asRefusal(() => parseTagList(text ?? ''))
  if (tags.length > tagsAtMost) throw tooManyTags()
  return tags.length > 0 ? tags : undefined
}

export function readPaymentView(query: { tags?: string; token?: string; network?: string }): View {
  const { token, network } = query
  if (token === undefined && network === undefined) {
    const tags = readTags(query.tags)
    return { form: 'payment', ...(tags ? { tags } : {}) }
  }
  if (query.tags) throw invalidRequest('Send tags, or token and network.')
  if (!token || !network) throw invalidRequest('Send token and network together.')
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

const tooManyTags = () => invalidRequest(`tags can name at most ${tagsAtMost} categories.`)

const unknownNetwork = (network: string) =>
  refusal('invalid', 'unknown_network', `“${network}” is not a known network, such as ETH.`)

/** The due change of the id could not be applied. */
export const restless = () =>
  refusal('unavailable', 'restless', 'This id is being changed right now. Try again shortly.', {
    retry_after_seconds: 1,
  })

export const tooLargePage = () =>
  refusalIn(
    'limit',
    'refused',
    'too_large_page',
    'These changes are too large for one page. Request fewer with limit.',
  )

const tooLargeRecords = () =>
  refusal(
    'refused',
    'too_large_records',
    'All records of an id can have at most 65,536 bytes as JSON, including those of a waiting change. Remove some records, or shorten them.',
  )

export const tooManyRecords = () =>
  refusal(
    'refused',
    'too_many_records',
    `An id has at most ${recordsAtMost} records, including those of a waiting change.`,
  )
