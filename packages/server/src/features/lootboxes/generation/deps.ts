import type { Database } from '../../../tables.ts'
import type { EmojiIds } from '../../directory/emoji-ids/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Lootboxes } from '../boxes/index.ts'
import type { LootboxTypes } from '../types/index.ts'

export type Deps = {
  db: Database
  audit: Audit
  emojiIds: EmojiIds
  lootboxTypes: LootboxTypes
  lootboxes: Lootboxes
}
