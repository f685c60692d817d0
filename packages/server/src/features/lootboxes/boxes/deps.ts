import type { Sealer } from '../../../platform/crypto/seal.ts'
import type { Database } from '../../../tables.ts'
import type { Catalog } from '../../directory/catalog/index.ts'
import type { EmojiIds } from '../../directory/emoji-ids/index.ts'
import type { Accounts } from '../../identity/accounts/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Notifications } from '../../operations/notifications/index.ts'
import type { LootboxTypes } from '../types/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  audit: Audit
  catalog: Catalog
  emojiIds: EmojiIds
  lootboxTypes: LootboxTypes
  notifications: Notifications
  sealer: Sealer
  now: () => Date
  /** Whether boxes can be bought. */
  isSold: boolean
  webUrl: string
}
