import { bindUseCases } from '../../../platform/bind.ts'
import { type Budget, createBudget } from '../../../platform/http/limits.ts'
import type { Database } from '../../../tables.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Keys } from '../../identity/keys/keys.ts'
import type { Links } from '../../identity/links/links.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Delays } from '../delays/delays.ts'
import type { EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Records } from '../records/records.ts'
import { editRecords } from './edit-records.ts'
import { replaceLinkedRecords, replaceRecords, writeDemoRecords } from './replace-records.ts'
import * as rules from './rules.ts'
import { previewUndo, undoEdit } from './undo-edit.ts'

export { NewRecord } from './schema.ts'

export type Options = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  records: Records
  delays: Delays
  keys: Keys
  links: Links
  notifications: Notifications
  audit: Audit
  authUrl: string
  /** The address to which owners write against an operator's decision. */
  appealsEmail: string
}

/** In records, as `costOfEdit` counts. */
const rates = {
  each: { atOnce: 20_000, perSecond: 1_000 },
  all: { atOnce: 60_000, perSecond: 3_000 },
}

export type Deps = Options & { budget: Budget }

export type Edits = ReturnType<typeof createEdits>

/** Edits of an id's records: atomic, signed, saved in the history, emailed to the owners. */
export function createEdits(options: Options) {
  const deps: Deps = { ...options, budget: createBudget('edits', rates) }
  return {
    ...bindUseCases(deps, {
      editRecords,
      replaceLinkedRecords,
      replaceRecords,
      writeDemoRecords,
      previewUndo,
      undoEdit,
    }),
    /** Checks records of a file like those of an edit. */
    readWhole: rules.readWhole,
  }
}
