import { bindUseCases } from '../../../platform/bind.ts'
import { cancelChange, dropChange, dropPlansOf } from './cancel-change.ts'
import type { Deps } from './deps.ts'
import { cancelChangeByLink, keepLockByLink, previewChange, previewLock } from './follow-links.ts'
import { holdChange } from './hold-change.ts'
import { showLock } from './read-lock.ts'
import * as delays from './repository.ts'
import * as rules from './rules.ts'
import { setLock, undoRaise } from './set-lock.ts'
import { settleChanges, settleChangesOf, settleDueChanges } from './settle-change.ts'

export type Delays = ReturnType<typeof createDelays>

/** The delay lock: changed payment addresses take effect only after some hours, if an owner wants so. */
export function createDelays(deps: Deps) {
  const { accounts, organizations, records, emojiIds, now } = deps
  accounts.whenRevoked(async (trx, user_id, { told }) => {
    await dropPlansOf(deps, trx, user_id)
    if (told?.event === 'delay_lock') await undoRaise(deps, trx, user_id, told)
  })
  // Changes of ids of their own are planned again, if they want them.
  accounts.whenDemoted((trx, user_id) => dropPlansOf(deps, trx, user_id))
  accounts.whenDisowned((trx, user_id) => dropPlansOf(deps, trx, user_id))
  accounts.beforeDeletion((trx, user_id) => dropPlansOf(deps, trx, user_id))
  organizations.whenLowered((trx, user_id, organization_id) =>
    dropPlansOf(deps, trx, user_id, organization_id),
  )
  // A lookup at or after the promised time sees the change, whether or not the job has run.
  records.whenDue((id) => settleChangesOf(deps, id))
  emojiIds.beforeGivenBack(async (trx, { emoji_id }) => {
    const hours = rules.hoursAt(await delays.findLock(trx, emoji_id), now())
    // Otherwise a stolen session could release the id and buy it again without the lock.
    if (hours > 0) throw rules.lockedError(hours)
  })
  // What waits was the giver's wish. The lock ends as if it had been switched off: payers were promised time.
  emojiIds.beforeHandedOn(async (trx, owned) => {
    const { lock, waiting } = await settleChanges(deps, trx, owned)
    if (waiting) await delays.removeWaiting(trx, owned.emoji_id)
    const terms = lock && rules.planLock(lock, 0, now())
    if (terms === 'none') await delays.removeLock(trx, owned.emoji_id)
    else if (terms) await delays.putLock(trx, owned.emoji_id, terms, null)
  })
  return bindUseCases(deps, {
    settle: settleChanges,
    hold: holdChange,
    drop: dropChange,
    show: showLock,
    set: setLock,
    cancel: cancelChange,
    lookAtChange: previewChange,
    cancelByLink: cancelChangeByLink,
    lookAtLock: previewLock,
    keepByLink: keepLockByLink,
    settleDue: settleDueChanges,
  })
}
