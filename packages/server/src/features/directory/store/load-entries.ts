import type { EmojiId } from '@emojid/core'
import { type Allowance, createAllowance } from '../../../platform/http/allowance.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import { UnregisteredError } from '../emoji-ids/index.ts'
import type { Deps } from './deps.ts'
import { findEntries } from './repository.ts'
import { isLocked, type StoredEntry } from './rules.ts'
import type { StoreKey } from './schema.ts'

const megabyte = 1_000_000
const each = { atOnce: 20 * megabyte, perSecond: 2 * megabyte }
const reservedBytes = 64_000

/** The rate limits of public reads. A request of 100 bytes can read over 1 MB. */
const bytes = {
  answers: { each, all: { atOnce: 100 * megabyte, perSecond: 10 * megabyte } },
  // Readers of pages do not wait because of other networks.
  pages: { each, all: { atOnce: Number.POSITIVE_INFINITY, perSecond: Number.POSITIVE_INFINITY } },
}

export async function loadEntries(
  { db, now }: Deps,
  id: EmojiId,
  keys: readonly StoreKey[],
): Promise<StoredEntry[]> {
  const found = await findEntries(db, id, keys)
  if (!found) throw new UnregisteredError(id)
  const { created_at, rows } = found
  return keys.map((key) => {
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
}

/** Loads entries within a rate limit. */
export async function loadEntriesWithin(
  deps: Deps,
  allowance: Allowance,
  id: EmojiId,
  keys: readonly StoreKey[],
): Promise<StoredEntry[]> {
  return allowance.spendOn(
    currentNetwork(),
    keys.length * reservedBytes,
    () => loadEntries(deps, id, keys),
    // Read bytes count, not sent bytes: HEAD costs the same read, for its length and ETag.
    (entries) => entries.reduce((sum, { data }) => sum + data.length, 0),
  )
}

export const createReadLimits = () => ({
  answers: createAllowance(bytes.answers),
  pages: createAllowance(bytes.pages),
})
