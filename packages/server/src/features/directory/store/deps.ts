import type { EmojiId } from '@emojid/core'
import type { Database, Transaction } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Edits } from '../edits/edits.ts'
import type { EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Records } from '../records/records.ts'
import type { Limits } from './limits.ts'
import type { StoreKey } from './schema.ts'

export type Options = {
  db: Database
  records: Records
  edits: Edits
  emojiIds: EmojiIds
  audit: Audit
  now: () => Date
  /** The sign-in site: links of owners must not lead there. */
  authUrl: string
}

/** Runs in the same transaction when data was stored. */
export type StoreListener = (trx: Transaction, id: EmojiId, key: StoreKey) => Promise<void>

export type Deps = Options & {
  whenStored: StoreListener[]
  limits: Limits
}
