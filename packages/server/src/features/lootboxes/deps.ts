import type { Sealer } from '../../platform/crypto/seal.ts'
import type { Database } from '../../tables.ts'
import type { Catalog } from '../directory/catalog/catalog.ts'
import type { EmojiIds } from '../directory/emoji-ids/emoji-ids.ts'
import type { Accounts } from '../identity/accounts/accounts.ts'
import type { Removals } from '../identity/removals/removals.ts'
import type { Audit } from '../operations/audit/audit.ts'
import type { Notifications } from '../operations/notifications/notifications.ts'
import type { Box, countBoxes } from './repository.ts'

export type Options = {
  db: Database
  accounts: Accounts
  removals: Removals
  audit: Audit
  catalog: Catalog
  emojiIds: EmojiIds
  notifications: Notifications
  sealer: Sealer
  now: () => Date
  /** Whether boxes can be bought. */
  isSold: boolean
  webUrl: string
}

export type Deps = Options & {
  /** The boxes of a type by what became of them, at most ten seconds ago. */
  countsOf: (lootbox_type_id: string) => ReturnType<typeof countBoxes>
  /** Whether the contents of a box can be recomputed from its seed. */
  verdictOn: (box: Box, seed: string, ids: readonly string[]) => Promise<boolean>
}
