import type { Database } from '../../../tables.ts'
import type { Catalog } from '../../directory/catalog/index.ts'
import type { EmojiIds } from '../../directory/emoji-ids/index.ts'
import type { Accounts } from '../../identity/accounts/index.ts'
import type { Links } from '../../identity/links/index.ts'
import type { Notifications } from '../../operations/notifications/index.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  catalog: Catalog
  links: Links
  notifications: Notifications
  now: () => Date
  authUrl: string
  webUrl: string
}
