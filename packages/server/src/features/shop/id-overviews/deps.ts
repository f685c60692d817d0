import type { Database } from '../../../tables.ts'
import type { AbuseReports } from '../../directory/abuse-reports/index.ts'
import type { Catalog } from '../../directory/catalog/index.ts'
import type { EmojiIds } from '../../directory/emoji-ids/index.ts'
import type { Audit } from '../../operations/audit/index.ts'

export type Deps = {
  db: Database
  emojiIds: EmojiIds
  catalog: Catalog
  abuseReports: AbuseReports
  audit: Audit
  now: () => Date
}
