import { createHash, createHmac, randomBytes } from 'node:crypto'
import { EmojiIdError, parseSpelling } from '@emojid/core'
import { invalidRequest, refusal, ServiceError } from '../../../platform/errors.ts'
import { networksOfOne, wideNetworkOf } from '../../../platform/http/network.ts'
import { dayMs, hourMs } from '../../../platform/time.ts'
import { mayInOrganization, type Principal } from '../access/access.ts'
import type { EventRow } from './repository.ts'
import { type Event, type EventType, eventTypes } from './schema.ts'

/** Accounts and organizations that an event concerns. */
type Audience = {
  user_id?: string | null | undefined
  organization_id?: string | null | undefined
}

export type NewEvent = {
  type: EventType
  /** In canonical format. */
  emoji_id?: string
  /** Never an address: readers look the id up. */
  data?: Record<string, unknown>
  audience: readonly Audience[]
}

/** The audience of events that a reader may see beyond the public ones. */
export type Reader = {
  user_ids: readonly string[]
  organization_ids: readonly string[]
  /** Only an account with a confirmed email address reads the events of its transfers. */
  canReadTransfers: boolean
}

/**
 * A place in the feed: reading continues after this number. A database with the same tag at the
 * number has the same events up to it, so cursors survive a promotion that lost none of them.
 */
export type Cursor = { epoch: string; number: number; tag: string }

/** An event id is unguessable: a receiver stores it to recognize repeated deliveries. */
const newEventId = (): string => `evt_${randomBytes(16).toString('base64url')}`

/** Events of ids are public; only their audience reads the other types. */
export const isPublicType = (type: string): boolean => type.startsWith('emoji_id.')

const isTransferType = (type: string): boolean => type.startsWith('transfer.')

export function isVisibleTo(row: EventRow, reader: Reader): boolean {
  const { user_ids, organization_ids, canReadTransfers } = reader
  const canReadOwn = canReadTransfers || !isTransferType(row.type)
  return (
    isPublicType(row.type) ||
    (canReadOwn && row.user_ids.some((id) => user_ids.includes(id))) ||
    row.organization_ids.some((id) => organization_ids.includes(id))
  )
}

const present = (ids: readonly (string | null | undefined)[]): string[] => [
  ...new Set(ids.filter((id) => typeof id === 'string')),
]

export const toRow = ({ type, emoji_id, data, audience }: NewEvent, created_at: Date) => ({
  event_id: newEventId(),
  type,
  emoji_id: emoji_id ?? null,
  data: JSON.stringify({ ...(emoji_id ? { emoji_id } : {}), ...data }),
  user_ids: present(audience.map(({ user_id }) => user_id)),
  organization_ids: present(audience.map(({ organization_id }) => organization_id)),
  created_at,
})

export const cursorText = ({ epoch, number, tag }: Cursor): string => `${epoch}-${number}-${tag}`

export function readCursor(text: string): Cursor {
  const [, epoch, digits, tag] = /^([0-9a-f]{8})-(0|[1-9]\d{0,14})-([0-9a-f]{8})$/.exec(text) ?? []
  if (!epoch || !tag) throw unknownCursor()
  return { epoch, number: Number(digits), tag }
}

export const isSameCursor = (one: Cursor, other: Cursor): boolean =>
  cursorText(one) === cursorText(other)

/** The cursor after an event. */
export const cursorAfter = (epoch: string, { number, number_tag }: EventRow): Cursor => ({
  epoch,
  number,
  tag: number_tag,
})

/** The event as readers get it. */
export const showEvent = (epoch: string, row: EventRow): Event => ({
  id: row.event_id,
  type: row.type as EventType,
  timestamp: row.created_at,
  cursor: cursorText(cursorAfter(epoch, row)),
  data: row.data as Event['data'],
})

/** An event on its way to many streams: its text is made once. */
export type FeedEvent = {
  row: EventRow
  cursor: string
  text: string
  idHash: number
  /** Current members of its organizations. */
  member_ids: ReadonlySet<string>
}

/** Writes an event in the format of server-sent events. JSON has no line ends. */
export const toFeedEvent = (
  epoch: string,
  row: EventRow,
  member_ids: ReadonlySet<string> = new Set(),
): FeedEvent => {
  const event = showEvent(epoch, row)
  const text = `id: ${event.cursor}\ndata: ${JSON.stringify(event)}\n\n`
  const idHash = row.emoji_id ? hashOf(row.emoji_id) : -1
  return { row, cursor: event.cursor, text, idHash, member_ids }
}

/** Ids of a watch in 8 bytes each: a process may hold a million of them. */
export const hashesOf = (emoji_ids: readonly string[]): Float64Array =>
  Float64Array.from(emoji_ids, hashOf).sort()

const hashOf = (emoji_id: string): number =>
  createHash('sha256').update(emoji_id).digest().readUIntBE(0, 6)

/** Binary search. */
export function hasHash(sorted: Float64Array, hash: number): boolean {
  let [low, high] = [0, sorted.length - 1]
  while (low <= high) {
    const middle = (low + high) >>> 1
    const value = sorted[middle] as number
    if (value === hash) return true
    if (value < hash) low = middle + 1
    else high = middle - 1
  }
  return false
}

/** An API key needs all of these scopes to read the events of its account. */
const ownScopes = ['order:readSelf', 'emoji::transfer'] as const

/**
 * The audience that a caller belongs to. The scope `domainEvent:read` is that of the audit log, so
 * it counts only where the caller has it as a member of an organization.
 */
export function readerOf(caller: Principal | undefined, canReadTransfers = true): Reader {
  if (!caller) return anonymous
  const isOwner = !caller.key || ownScopes.every((scope) => caller.scopes.has(scope))
  const organization_ids = [...caller.memberships.keys()].filter((id) =>
    mayInOrganization(caller, id, 'domainEvent:read'),
  )
  return { user_ids: isOwner ? [caller.user_id] : [], organization_ids, canReadTransfers }
}

/**
 * The kinds of events that a key does not read for lack of a scope, or that a request names without
 * a sign-in: an empty page must not read as “nothing happened”.
 */
export const withheldFrom = (caller: Principal | undefined, types: readonly string[] = []) =>
  readerOf(caller).user_ids.length > 0
    ? []
    : ['order', 'transfer'].filter(
        (kind) => caller?.key || types.some((type) => type.startsWith(`${kind}.`)),
      )

export const anonymous: Reader = { user_ids: [], organization_ids: [], canReadTransfers: false }

export function readTypes(text: string | undefined): EventType[] | undefined {
  if (text === undefined) return undefined
  const types = [...new Set(text.split(','))]
  const isKnown = (type: string): type is EventType =>
    (eventTypes as readonly string[]).includes(type)
  const unknown = types.find((type) => !isKnown(type))
  if (unknown !== undefined) throw unknownType(unknown)
  return types.filter(isKnown)
}

/** The ids of a watch in canonical format, each once. */
export function readWatchedIds(texts: readonly string[]): string[] {
  return [...new Set(texts.map(readWatchedId))]
}

function readWatchedId(text: string): string {
  try {
    return parseSpelling(text)
  } catch (error) {
    if (error instanceof EmojiIdError) throw invalidWatch(text, error.message)
    throw error
  }
}

/** A watch of few ids counts as if it had more: the limits also bound the number of watches. */
export const sizeOfWatch = (ids: number): number => Math.max(ids, 25)

export const newWatchToken = (): string => `watch_${randomBytes(24).toString('base64url')}`

export const watchEnd = (now: Date): Date => new Date(now.getTime() + hourMs)

/** A watch shows whom its owner pays, so the network is stored as a keyed hash. */
export function networkHashes(key: Buffer, network: string) {
  const hash = (text: string) => createHmac('sha256', key).update(text).digest()
  return { network_hash: hash(network), wide_network_hash: hash(`wide ${wideNetworkOf(network)}`) }
}

const scannedPerToken = 1_000

/** The cost of a read, which looks at all events between two numbers. */
export const costOfRead = (after: number, next: number): number =>
  1 + (next - after) / scannedPerToken

/** Larger pages are cut, as in all lists. */
export const largestPage = 200

const retentionMs = 30 * dayMs

export const startOfRetention = (now: Date): Date => new Date(now.getTime() - retentionMs)

export const unknownCursor = () =>
  refusal(
    'gone',
    'unknown_cursor',
    'Events after this cursor are no longer stored. Look your ids up again, then read without `after`.',
  )

export const isUnknownCursor = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'unknown_cursor'

export const unknownWatch = () =>
  refusal('gone', 'unknown_watch', 'This watch has expired. Create it again: POST /events/watch.')

const unknownType = (type: string) =>
  refusal('invalid', 'unknown_event_type', `There is no event type “${type.slice(0, 40)}”.`)

const invalidWatch = (text: string, message: string) =>
  refusal('invalid', 'invalid_emoji_id', `“${text.slice(0, 40)}” is not an emoji id: ${message}`)

export const eitherIdsOrWatch = () => invalidRequest('Send either emoji_ids or watch.')

/** Stored ids of all watches, in the database. A wide network may have as many as four networks. */
const storedIds = {
  perNetwork: 50_000,
  inTotal: 2_000_000,
  /** The last quarter of all is left for networks with no more than this. */
  fewOfNetwork: 2_000,
}

/** The watched ids that are stored, of a network, its wide network, and in total. */
export type StoredCounts = Record<'network' | 'wide' | 'total', number>

/** Whether a watch of this size stays within the limits. The reserve is for networks with few ids. */
export function hasRoomForWatch(stored: StoredCounts, size: number): boolean {
  const { perNetwork, fewOfNetwork, inTotal } = storedIds
  const [network, wide, total] = [stored.network + size, stored.wide + size, stored.total + size]
  const staysWithin = (each: number) => network <= each && wide <= networksOfOne * each
  return staysWithin(perNetwork) && total <= (staysWithin(fewOfNetwork) ? inTotal : 0.75 * inTotal)
}

export const tooManyWatched = () =>
  refusal(
    'limited',
    'too_many_watched',
    'Your network watches too many ids. Wait until older watches expire.',
    { retry_after_seconds: 600 },
  )

export const tooManyStreams = () =>
  refusal(
    'limited',
    'too_many_streams',
    'Your network has too many open streams. Close some, or poll.',
    { retry_after_seconds: 60 },
  )
