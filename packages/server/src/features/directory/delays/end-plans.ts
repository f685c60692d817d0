import type { Transaction } from '../../../tables.ts'
import type { OwnedId } from '../emoji-ids/emoji-ids.ts'
import type { Deps } from './delays.ts'
import * as delays from './repository.ts'
import * as rules from './rules.ts'
import { settleChanges } from './settle-change.ts'

/**
 * Ends the former owner's plans and lock when an id changes owner. The lock runs out as if it had
 * been switched off: payers rely on its delay.
 */
export async function endFormerPlans(
  deps: Deps,
  trx: Transaction,
  ownedId: OwnedId,
): Promise<void> {
  const { now } = deps
  const { lock, waiting } = await settleChanges(deps, trx, ownedId)
  if (waiting) await delays.removeWaiting(trx, ownedId.emoji_id)
  const terms = lock && rules.planLock(lock, 0, now())
  if (terms === 'none') await delays.removeLock(trx, ownedId.emoji_id)
  else if (terms) await delays.putLock(trx, ownedId.emoji_id, terms, null)
}
