import type { KeyRing } from '../../../platform/crypto/key-ring.ts'
import type { Prepare } from '../../../platform/database/prepared.ts'
import type { Database } from '../../../tables.ts'
import type { EmojiIds } from '../../directory/emoji-ids/index.ts'
import type { Accounts } from '../../identity/accounts/index.ts'
import type { Sessions } from '../../identity/sessions/index.ts'
import type { Audit } from '../../operations/audit/index.ts'
import type { Clients } from '../clients/index.ts'
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
