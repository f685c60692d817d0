import type { Transaction } from '../../../tables.ts'
import type { OwnedId } from '../emoji-ids/emoji-ids.ts'
import type { Deps } from './delays.ts'
import * as delays from './repository.ts'
import * as rules from './rules.ts'

/** A stolen session could otherwise release the id and buy it again without the lock. */
export async function refuseReleaseWhileLocked(
  { now }: Deps,
  trx: Transaction,
  { emoji_id }: OwnedId,
): Promise<void> {
  const hours = rules.hoursAt(await delays.findLock(trx, emoji_id), now())
  if (hours > 0) throw rules.lockedError(hours)
}
