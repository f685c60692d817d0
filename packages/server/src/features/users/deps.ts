import type { Database } from '../../tables.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Recovery } from '../recovery/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  recovery: Recovery
  audit: Audit
  now: () => Date
}
