import type { Accounts } from '../accounts/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Organizations } from '../organizations/index.ts'
import type { Sessions } from '../sessions/index.ts'
import type { Transfers } from '../transfers/index.ts'
import type { Users } from '../users/index.ts'
import type { Wallets } from '../wallets/index.ts'

export type Deps = {
  accounts: Accounts
  users: Users
  organizations: Organizations
  sessions: Sessions
  wallets: Wallets
  emojiIds: EmojiIds
  transfers: Transfers
}
