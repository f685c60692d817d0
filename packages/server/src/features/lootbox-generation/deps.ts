import type { Database } from '../../tables.ts'
import type { Audit } from '../audit/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { LootboxTypes } from '../lootbox-types/index.ts'
import type { Lootboxes } from '../lootboxes/index.ts'

export type Deps = {
  db: Database
  audit: Audit
  emojiIds: EmojiIds
  lootboxTypes: LootboxTypes
  lootboxes: Lootboxes
}
