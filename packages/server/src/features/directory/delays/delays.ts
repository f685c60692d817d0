import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Keys } from '../../identity/keys/keys.ts'
import type { Links } from '../../identity/links/links.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Records } from '../records/records.ts'
import type { Suspensions } from '../suspensions/suspensions.ts'
import { cancelChange, dropChange, dropPlansOf, dropPlansWhenSuspended } from './cancel-change.ts'
import { endFormerPlans } from './end-plans.ts'
import { cancelChangeByLink, keepLockByLink, previewChange, previewLock } from './follow-links.ts'
import { holdChange } from './hold-change.ts'
import { showLock } from './read-lock.ts'
import { refuseReleaseWhileLocked } from './refuse-release.ts'
import { findStanding } from './repository.ts'
import { revertPlans } from './revert-plans.ts'
import { setLock } from './set-lock.ts'
import { settleChanges, settleChangesOf, settleDueChanges } from './settle-change.ts'

export { recordsModerated } from './mails.ts'
export { assertPlannedOrder, type Standing } from './rules.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  organizations: Organizations
  emojiIds: EmojiIds
  records: Records
  suspensions: Suspensions
  keys: Keys
  links: Links
  notifications: Notifications
  audit: Audit
  now: () => Date
  authUrl: string
  appealsEmail: string
}

export type Delays = ReturnType<typeof createDelays>

/** The delay lock: new payment addresses take effect some hours after the edit. Owners opt in. */
export function createDelays(deps: Deps) {
  const bind = bindTo(deps)
  const { accounts, organizations, records, emojiIds, suspensions } = deps
  const dropPlans = bind(dropPlansOf)
  accounts.whenRevoked(bind(revertPlans))
  accounts.whenDemoted(dropPlans)
  accounts.whenDisowned(dropPlans)
  accounts.beforeDeletion(dropPlans)
  organizations.whenLowered(dropPlans)
  // A lookup at or after the promised time sees the change, whether or not the job has run.
  records.whenDue(bind(settleChangesOf))
  suspensions.whenChanged(bind(dropPlansWhenSuspended))
  emojiIds.beforeRelease(bind(refuseReleaseWhileLocked))
  emojiIds.beforeOwnerChange(bind(endFormerPlans))

  return {
    ...bindUseCases(deps, {
      settleChanges,
      holdChange,
      dropChange,
      showLock,
      setLock,
      cancelChange,
      previewChange,
      cancelChangeByLink,
      previewLock,
      keepLockByLink,
      settleDueChanges,
    }),
    findStanding,
  }
}

/** For a restored database: the owner may have cancelled the change in the lost time. */
export { restartDelays } from './repository.ts'

/** Applies due changes of ids without lookups; a lookup applies a due change itself. */
export const delayJobs = (delays: Delays): JobModule => ({
  tasks: { 'delays.settle': () => delays.settleDueChanges() },
  schedules: [{ task: 'delays.settle', cron: '* * * * *' }],
})
