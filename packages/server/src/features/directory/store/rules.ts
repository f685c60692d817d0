import { checkUrl, type StoredRecord } from '@emojid/core'
import { invalidRequest, refusal } from '../../../platform/errors.ts'
import { assertSmall } from '../../../platform/http/json-body.ts'
import { type StoreEntry, type StoreKey, storeKeys } from './schema.ts'

/** Keys joined by commas, repeated parameters, or both. */
export function readStoreKeys(given: string | readonly string[]): StoreKey[] {
  const names = [given]
    .flat()
    .flatMap((text) => text.split(','))
    .filter((name) => name !== '')
  const unknown = names.find((name) => !storeKeys.includes(name as StoreKey))
  if (unknown !== undefined || names.length === 0) throw unknownStoreKey(unknown ?? '')
  return [...new Set(names as StoreKey[])]
}

const linkTags = ['0x0004', '0x4001']

/**
 * The address an id leads to, if the link is one of its link records or stands in its link data,
 * letter by letter, and is fit to be followed; in the form that a header can carry.
 */
export function leadTo(
  link: string,
  records: readonly StoredRecord[],
  linkData: unknown,
): string | undefined {
  const isTheirs =
    records.some(({ tag, data }) => linkTags.includes(tag) && data === link) ||
    contains(linkData, link)
  return isTheirs && isFollowable(link) ? new URL(link).href : undefined
}

/** What follows the id in an address, as it was sent: a path that begins with a slash, and a query. */
type Rest = { path: string; query: string }

/**
 * Where an id as a whole leads: its newest redirect, with the path and the query of whoever comes
 * behind its own. Nothing makes it leave the place that its owner named.
 */
export function redirectOf(
  records: readonly StoredRecord[],
  { path, query }: Rest,
): string | undefined {
  const link = records.findLast(({ tag }) => tag === '0x0004')?.data
  if (link === undefined || !isFollowable(link)) return undefined
  const url = new URL(link)
  const { origin } = url
  const place = url.pathname.replace(/\/$/, '')
  if (path !== '') url.pathname = place + path
  if (query !== '') url.search = url.search === '' ? query : `${url.search}&${query}`
  const isWithin = path === '' || url.pathname.startsWith(`${place}/`)
  return isWithin && url.origin === origin ? url.href : undefined
}

function isFollowable(link: string): boolean {
  try {
    return checkUrl(link) === link
  } catch {
    return false
  }
}

function contains(value: unknown, link: string): boolean {
  if (value === link) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((member) => contains(member, link))
}

const largestData = 256_000
/** The member limit of a body that writes an entry. */
export const membersAtMost = 5_000

/** What is stored, as compact JSON. */
export function readData(data: unknown): string {
  if (data === undefined) throw missingData()
  const text = JSON.stringify(data)
  if (Buffer.byteLength(text) > largestData) throw dataTooLarge()
  return text
}

/** Parses an entry for our own pages; an entry over the member limit, stored before it existed, reads as {}. */
export function parseData(text: string): unknown {
  try {
    assertSmall(text, membersAtMost)
  } catch {
    return {}
  }
  return JSON.parse(text)
}

/** An entry with its data as JSON text. */
export type StoredEntry = Omit<StoreEntry, 'data'> & { data: string }

/** The entry as JSON text; the stored data is not parsed. */
export function showEntry({ data, ...entry }: StoredEntry): string {
  return `{"data":${data},${JSON.stringify(entry).slice(1)}`
}

type Lock = { is_locked: boolean; locked_future_writes_at: Date | null }

/** Locked at once, or from a moment on that has come. */
export const isLocked = ({ is_locked, locked_future_writes_at: from }: Lock, now: Date): boolean =>
  is_locked || (from !== null && from <= now)

export function assertUnlocked(entry: Lock | undefined, now: Date): void {
  if (entry && isLocked(entry, now)) throw lockedError()
}

const missingData = () => invalidRequest('data is missing.')

const dataTooLarge = () =>
  refusal('too_large', 'too_large_data', 'data has at most 256,000 bytes as compact JSON.')

const lockedError = () => refusal('refused', 'locked', 'This entry is locked. Ask our support.')

const unknownStoreKey = (name: string) => {
  const keys = storeKeys.join(', ')
  return refusal(
    'invalid',
    'unknown_store_key',
    `"${name}" is not a store key. There are: ${keys}.`,
  )
}

export const unknownLink = () =>
  refusal('not_found', 'unknown_link', 'This emoji id does not lead to that link.')
