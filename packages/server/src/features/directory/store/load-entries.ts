import type { EmojiId } from '@emojid/core'
import { currentNetwork } from '../../../platform/request-id.ts'
import { takeTurn } from '../../../platform/turns.ts'
import { assertNotSuspended, UnregisteredError } from '../emoji-ids/emoji-ids.ts'
import { findEntries } from './repository.ts'
import { isLocked, type StoredEntry } from './rules.ts'
import type { StoreKey } from './schema.ts'
import type { Deps } from './store.ts'

/**
 * `read` is reserved for each entry until its length is known; `least` is the query of any read, and
 * `write` the minimum for any body.
 */
export const costs = { read: 64_000, least: 20_000, write: 10_000 }

/** For operators, who also see the entries of a suspended id. */
export const loadEntries = async (deps: Deps, id: EmojiId, keys: readonly StoreKey[]) =>
  (await readEntries(deps, id, keys)).entries

async function loadPublicEntries(deps: Deps, id: EmojiId, keys: readonly StoreKey[]) {
  const { suspended_at, entries } = await readEntries(deps, id, keys)
  // The response is built from up to 800 kB, as those of other requests that waited for their rows.
  await takeTurn()
  assertNotSuspended({ suspended_at })
  return entries
}

async function readEntries({ db, now }: Deps, id: EmojiId, keys: readonly StoreKey[]) {
  const storedEntries = await findEntries(db, id, keys)
  if (!storedEntries) throw new UnregisteredError(id)
  const { created_at, suspended_at, rows } = storedEntries
  const entries = keys.map((key): StoredEntry => {
    const row = rows.find((entry) => entry.key === key)
    const locked = {
      is_locked: row?.is_locked ?? false,
      locked_future_writes_at: row?.locked_future_writes_at ?? null,
    }
    return {
      created_at: row?.created_at ?? created_at,
      data: row?.data ?? '{}',
      is_locked: isLocked(locked, now()),
      updated_at: row?.updated_at ?? created_at,
      locked_future_writes_at: locked.locked_future_writes_at,
    }
  })
  return { suspended_at, entries }
}

/** Loads public entries within a rate limit. */
export async function loadEntriesWithin(
  deps: Deps,
  limit: 'answers' | 'pages',
  id: EmojiId,
  keys: readonly StoreKey[],
): Promise<StoredEntry[]> {
  return deps.limits[limit].spendOn(
    currentNetwork(),
    keys.length * costs.read,
    () => loadPublicEntries(deps, id, keys),
    // Read bytes count, not sent bytes: HEAD costs the same read, for its length and ETag.
    (entries) =>
      Math.max(
        costs.least,
        entries.reduce((sum, { data }) => sum + data.length, 0),
      ),
    costs.least,
  )
}
