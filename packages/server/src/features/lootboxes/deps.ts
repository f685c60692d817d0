import type { Sealer } from '../../platform/crypto/seal.ts'
import type { Database } from '../../tables.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Catalog } from '../catalog/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { LootboxTypes } from '../lootbox-types/index.ts'
import type { Notifications } from '../notifications/index.ts'

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
