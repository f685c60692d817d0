import type { EmojiId } from '@emojid/core'
import { isWithin } from '../../../platform/http/pages/links.ts'
import { takeTurn } from '../../../platform/turns.ts'
import { loadEntriesWithin } from './load-entries.ts'
import { findStamp } from './repository.ts'
import { leadTo, parseData, showEntry, unknownLink } from './rules.ts'
import type { StoreKey } from './schema.ts'
import type { Deps } from './store.ts'

/** Parsed data for our own pages, in the order of the keys. */
export async function readStore(
  deps: Deps,
  id: EmojiId,
  keys: readonly StoreKey[],
): Promise<unknown[]> {
  const values: unknown[] = []
  for (const { data } of await loadEntriesWithin(deps, 'pages', id, keys)) {
    await takeTurn()
    values.push(parseData(data))
  }
  return values
}

/** A text that changes with every change of these entries; reads none of their data. */
export const stampStore = ({ db }: Deps, id: EmojiId, keys: readonly StoreKey[]): Promise<string> =>
  findStamp(db, id, keys)

/** Entries by key, as JSON text. */
export async function showEntries(
  deps: Deps,
  id: EmojiId,
  keys: readonly StoreKey[],
): Promise<string> {
  const entries = (await loadEntriesWithin(deps, 'answers', id, keys)).map(showEntry)
  return `{${keys.map((key, place) => `"${key}":${entries[place]}`).join(',')}}`
}

/** One entry, as JSON text. */
export async function showOneEntry(deps: Deps, id: EmojiId, key: StoreKey): Promise<string> {
  const [entry] = await loadEntriesWithin(deps, 'answers', id, [key])
  return entry ? showEntry(entry) : '{}'
}

/** Returns the target of an owner's link. */
export async function findTarget(deps: Deps, id: EmojiId, link: string): Promise<string> {
  const { records, authUrl } = deps
  const [entry] = await loadEntriesWithin(deps, 'pages', id, ['SvcLinkData'])
  const target = leadTo(link, await records.lookUpRecords(id), entry?.data ?? '{}')
  if (target === undefined || isWithin(authUrl, target)) throw unknownLink()
  return target
}
