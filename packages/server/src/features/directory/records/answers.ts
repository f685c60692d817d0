import {
  type EmojiId,
  isNetworkOf,
  merkleTreeInParts,
  parseTagList,
  paymentKey,
  paymentLookup,
  RecordError,
  recordsOfTicker,
  type StoredRecord,
  signedMessage,
  signingDomain,
  type Tag,
  tokenAddress,
  unknownTicker,
} from '@emojid/core'
import { invalidRequest, refusal, ServiceError } from '../../../platform/errors.ts'
import { etagOf } from '../../../platform/http/etag.ts'
import { lookupMetric, type Window } from '../stats/stats.ts'
import type { Proof, Record } from './schema.ts'

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

/** A response is kept as bytes, and as the text that the fast path writes. */
export const memoryOfAnswer = ({ body }: Answer): number => 500 + 2 * body.length

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

/** A response body that stays the same until the entry changes. */
export type Answer = {
  body: Buffer
  etag: string
  /** The body with one character per byte, as the fast path writes it. */
  text?: string
}

/** The part of an id that a client requests. */
export type View =
  | { form: 'lookup'; tags?: readonly Tag[] }
  | { form: 'ticker'; ticker: string }
  | { form: 'payment'; tags?: readonly Tag[] }
  | { form: 'token'; token: string; network: string }

const longestNameKept = 120

/** The view of a path is named once, and looked up at every request. */
const namesOfViews = new WeakMap<View, string>()

function nameOfView(view: View): string {
  const name = namesOfViews.get(view) ?? JSON.stringify(view)
  namesOfViews.set(view, name)
  return name
}

const isWhole = (view: View): boolean => view.form === 'lookup' && !view.tags

/** The response that was built before; undefined if it has to be built. */
export const preparedAnswer = (entry: Entry, view: View): Answer | undefined =>
  isWhole(view) ? entry.whole : entry.answers.get(nameOfView(view))

export const answerFor = (entry: Entry, view: View): Answer =>
  preparedAnswer(entry, view) ?? prepareAnswer(entry, view)

function prepareAnswer(entry: Entry, view: View): Answer {
  const answer = toAnswer(bodyFor(entry, view))
  if (isWhole(view)) entry.whole = answer
  else if (nameOfView(view).length <= longestNameKept) entry.answers.put(nameOfView(view), answer)
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
