import type { EmojiId } from '@emojid/core'
import { isWithin } from '../../../platform/http/web-link.ts'
import type { Deps } from './deps.ts'
import { loadEntriesWithin } from './load-entries.ts'
import { leadTo, parseData, showEntry, unknownLink } from './rules.ts'
import type { StoreKey } from './schema.ts'

/** Parsed data for our own pages, in the order of the keys. */
export async function readStore(
  deps: Deps,
  id: EmojiId,
  keys: readonly StoreKey[],
): Promise<unknown[]> {
  const entries = await loadEntriesWithin(deps, 'pages', id, keys)
  return entries.map(({ data }) => parseData(data))
}

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
export async function followLink(deps: Deps, id: EmojiId, link: string): Promise<string> {
  const { records, authUrl } = deps
  const [data] = await readStore(deps, id, ['SvcLinkData'])
  const target = leadTo(link, await records.lookUpRecords(id), data)
  if (target === undefined || isWithin(authUrl, target)) throw unknownLink()
  return target
}
