import { bindUseCases } from '../../../platform/bind.ts'
import type { Database } from '../../../tables.ts'
import type { Keys } from '../../identity/keys/keys.ts'
import type { Organizations } from '../../identity/organizations/organizations.ts'
import type { Removals } from '../../identity/removals/removals.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Edits } from '../edits/edits.ts'
import type { EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Records } from '../records/records.ts'
import { exportIds } from './export-ids.ts'
import { importIds } from './import-ids.ts'

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

export type BulkIds = ReturnType<typeof createBulkIds>

/** Import and export of many ids, for operators who move a whole directory. */
export function createBulkIds(deps: Deps) {
  return bindUseCases(deps, {
    importIds,
    exportIds,
  })
}
