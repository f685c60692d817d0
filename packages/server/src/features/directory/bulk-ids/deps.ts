import type { Database } from '../../../tables.ts'
import type { Keys } from '../../identity/keys/index.ts'
import type { Organizations } from '../../identity/organizations/index.ts'
import type { Removals } from '../../identity/removals/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Edits } from '../edits/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Records } from '../records/index.ts'

export type Deps = {
  db: Database
  audit: Audit
  edits: Edits
  emojiIds: EmojiIds
  keys: Keys
  organizations: Organizations
  records: Records
  removals: Removals
  now: () => Date
}
