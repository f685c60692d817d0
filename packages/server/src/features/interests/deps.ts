import type { Database } from '../../tables.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Catalog } from '../catalog/index.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Links } from '../links/index.ts'
import type { Notifications } from '../notifications/index.ts'

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
