import type { Accounts } from '../../identity/accounts/index.ts'
import type { Organizations } from '../../identity/organizations/index.ts'
import type { Sessions } from '../../identity/sessions/index.ts'
import type { Wallets } from '../../identity/wallets/wallets.ts'
import type { Notifications } from '../../operations/notifications/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Transfers } from '../transfers/index.ts'
import type { Users } from '../users/index.ts'

export type Deps = {
  accounts: Accounts
  users: Users
  organizations: Organizations
  sessions: Sessions
  wallets: Wallets
  emojiIds: EmojiIds
  transfers: Transfers
  notifications: Notifications
}
