import type { Transaction } from '../../../tables.ts'
import type { OwnedId } from '../emoji-ids/index.ts'
import type { Deps } from './deps.ts'
import * as delays from './repository.ts'
import * as rules from './rules.ts'
import { settleChanges } from './settle-change.ts'

/**
 * Ends the former owner's plans and lock when an id changes owner. The lock runs out as if it had
 * been switched off: payers rely on its delay.
 */
export async function endFormerPlans(deps: Deps, trx: Transaction, owned: OwnedId): Promise<void> {
  const { now } = deps
  const { lock, waiting } = await settleChanges(deps, trx, owned)
  if (waiting) await delays.removeWaiting(trx, owned.emoji_id)
  const terms = lock && rules.planLock(lock, 0, now())
  if (terms === 'none') await delays.removeLock(trx, owned.emoji_id)
  else if (terms) await delays.putLock(trx, owned.emoji_id, terms, null)
}
