import { bindUseCases } from '../../../platform/bind.ts'
import type { Database } from '../../../tables.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Suspensions } from '../../directory/suspensions/suspensions.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Links } from '../../identity/links/links.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Recovery } from '../../identity/recovery/recovery.ts'
import type { Removals } from '../../identity/removals/removals.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import { activateUser, deactivateUser } from './activate-user.ts'
import { listUsers, showUser } from './read-users.ts'
import { removeUser } from './remove-user.ts'
import { updateUser } from './update-user.ts'
import { listAllFeatures, listFeatures, listFeaturesOf, setFeatures } from './user-features.ts'

export { makeSuper } from './make-super.ts'
export { Feature } from './schema.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  recovery: Recovery
  links: Links
  organizations: Organizations
  removals: Removals
  suspensions: Suspensions
  audit: Audit
  notifications: Notifications
  /** The address for appeals. */
  appealsEmail: string
  now: () => Date
}

export type Users = ReturnType<typeof createUsers>

/** Account management by operators, and account deletion by users. */
export function createUsers(deps: Deps) {
  return bindUseCases(deps, {
    updateUser,
    activateUser,
    deactivateUser,
    setFeatures,
    removeUser,
    listUsers,
    showUser,
    listFeatures,
    listFeaturesOf,
    listAllFeatures,
  })
}
