import type { Database } from '../../../tables.ts'
import type { Catalog } from '../../directory/catalog/index.ts'
import type { EmojiIds } from '../../directory/emoji-ids/index.ts'
import type { Audit } from '../../operations/audit/index.ts'

export type Deps = {
  db: Database
  emojiIds: EmojiIds
  catalog: Catalog
  audit: Audit
  now: () => Date
}
