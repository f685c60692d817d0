import type { KeyRing } from '../../../platform/crypto/key-ring.ts'
import type { Prepare } from '../../../platform/database/prepared.ts'
import type { Database } from '../../../tables.ts'
import type { EmojiIds } from '../../directory/emoji-ids/emoji-ids.ts'
import type { Accounts } from '../../identity/accounts/accounts.ts'
import type { Sessions } from '../../identity/sessions/sessions.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Clients } from '../clients/clients.ts'
import type * as grants from './repository.ts'

export type Options = {
  db: Database
  prepare: Prepare
  accounts: Accounts
  emojiIds: EmojiIds
  clients: Clients
  sessions: Sessions
  audit: Audit
  keyRing: KeyRing
  /** The key from which the successor of a refresh token is derived. */
  successionKey: Buffer
  /** Whether operators need a second factor. */
  operatorsNeedCodes: boolean
  now: () => Date
  issuer: string
  audience: string
}

export type Deps = Options & {
  findGrant: ReturnType<typeof grants.findGrant>
}
