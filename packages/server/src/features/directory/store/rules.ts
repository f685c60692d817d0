import {
  checkUrl,
  hasTooManyLinks,
  linksAtMost,
  newestShownAs,
  type StoredRecord,
  storeKeys,
  tagUse,
} from '@emojid/core'
import { invalidRequest, refusal, refusalIn } from '../../../platform/errors.ts'
import { assertSmall } from '../../../platform/http/api/json.ts'
import type { StoreEntry, StoreKey } from './schema.ts'

/** Keys joined by commas, repeated parameters, or both. */
export function readStoreKeys(input: string | readonly string[]): StoreKey[] {
  const names = [input]
    .flat()
    .flatMap((text) => text.split(','))
    .filter((name) => name !== '')
  const unknown = names.find((name) => !storeKeys.includes(name as StoreKey))
  if (unknown !== undefined || names.length === 0) throw unknownStoreKey(unknown ?? '')
  return [...new Set(names as StoreKey[])]
}

const isLink = (tag: string): boolean => ['link', 'redirect'].includes(tagUse(tag).shown ?? '')

/**
 * The target of a link, if a link record or the link data of the id contains exactly this text and
 * it is safe to follow; encoded for a header.
 */
export function leadTo(
  link: string,
  records: readonly StoredRecord[],
  /** As JSON text: it is parsed only if the link occurs in it. */
  linkData: string,
): string | undefined {
  const isTheirs =
    records.some(({ tag, data }) => isLink(tag) && data === link) ||
    (linkData.includes(JSON.stringify(link)) && containsLink(parseData(linkData), link))
  return isTheirs && isFollowable(link) ? new URL(link).href : undefined
}

/** The path and query after the id in a URL, as sent. */
type Rest = { path: string; query: string }

/**
 * The target of the newest redirect of an id, with the path and query of the visitor appended. The
 * result never leaves the site that the owner named.
 */
export function redirectOf(
  records: readonly StoredRecord[],
  { path, query }: Rest,
): string | undefined {
  const link = newestShownAs(records, 'redirect')?.data
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

function containsLink(value: unknown, link: string): boolean {
  if (value === link) return true
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((member) => containsLink(member, link))
}

const largestData = 256_000
/** The member limit of a body that writes an entry. */
export const membersAtMost = 5_000

/** The data as compact JSON. */
export function readData(data: unknown): string {
  if (data === undefined) throw missingData()
  const text = JSON.stringify(data)
  if (Buffer.byteLength(text) > largestData) throw tooLargeData()
  return text
}

/** The page of an id shows a limited number of links. */
export function assertShowable(key: StoreKey, data: unknown): void {
  const links = key === 'SvcPageData' ? (data as { links?: unknown } | null)?.links : data
  const isShown = key === 'SvcPageData' || key === 'SvcLinkData'
  if (isShown && hasTooManyLinks(links)) throw tooManyLinks()
}

const pictureMembers = ['gif', 'image', 'video', 'webm'] as const

/** Refuses addresses of pictures that are no web addresses: clients load them. Null counts as absent. */
export function assertPictureAddresses(data: unknown): void {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw wrongLocations()
  for (const name of pictureMembers) {
    const address = (data as Record<string, unknown>)[name] ?? undefined
    if (address !== undefined && !(typeof address === 'string' && isFollowable(address))) {
      throw wrongPictureAddress(name)
    }
  }
  for (const [name, value] of Object.entries(data)) {
    if (containsScript(value)) throw wrongPictureAddress(name)
  }
}

const scriptSchemes = new Set(['javascript:', 'vbscript:', 'data:', 'blob:', 'file:'])

/** Members that the specification does not name may hold any other text. */
function containsScript(value: unknown): boolean {
  if (typeof value === 'string') {
    return URL.canParse(value) && scriptSchemes.has(new URL(value).protocol)
  }
  return typeof value === 'object' && value !== null && Object.values(value).some(containsScript)
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

/** Locked now, or since a time that has passed. */
export const isLocked = ({ is_locked, locked_future_writes_at: from }: Lock, now: Date): boolean =>
  is_locked || (from !== null && from <= now)

export function assertUnlocked(entry: Lock | undefined, now: Date): void {
  if (entry && isLocked(entry, now)) throw lockedError()
}

export function assertUnchanged(updated_at: Date, expected: string): void {
  if (updated_at.getTime() !== Date.parse(expected)) throw outdatedEntry()
}

const missingData = () => invalidRequest('data is missing.')

const tooLargeData = () =>
  refusal('too_large', 'too_large_data', 'data can have at most 256,000 bytes as compact JSON.')

const tooManyLinks = () =>
  refusalIn(
    'data',
    'refused',
    'too_many_links',
    `The page of an id has at most ${linksAtMost} links. Remove some.`,
  )

const wrongLocations = () =>
  refusalIn(
    'data',
    'refused',
    'wrong_locations',
    'data must be an object such as {"image": "https://…"}.',
  )

const wrongPictureAddress = (name: string) =>
  refusalIn(
    `data.${name}`,
    'refused',
    'wrong_picture_address',
    `${name} must be an absolute address with https:// or http://.`,
  )

const lockedError = () => refusal('refused', 'locked', 'This entry is locked. Contact our support.')

const outdatedEntry = () =>
  refusal(
    'outdated',
    'outdated_entry',
    'Another session changed this data after you loaded it. Load it again.',
  )

const unknownStoreKey = (name: string) => {
  const keys = storeKeys.join(', ')
  return refusal(
    'invalid',
    'unknown_store_key',
    `"${name}" is not a store key. Use one of: ${keys}.`,
  )
}

export const unknownLink = () =>
  refusal('not_found', 'unknown_link', 'This emoji id does not lead to that link.')
