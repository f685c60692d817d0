import type { Passwords } from '../../../platform/passwords/passwords.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Keys } from '../keys/keys.ts'
import type { LinkData, Links, NoticeEvent } from '../links/links.ts'
import type { Throttle } from '../throttle/throttle.ts'
import type { Limits } from './limits.ts'

/** An action of another feature, in the same transaction. */
export type UserListener = (trx: Transaction, user_id: string) => Promise<void>

/** The scope of a revocation of access. */
export type Revocation = {
  /** Also removes wallets and foreign public keys added since then; all of them if null. */
  since: Date | null
  /** The notices whose reader said "this was not me", the oldest first. */
  notices?: readonly (Omit<LinkData, 'told'> & { event: NoticeEvent; at: Date })[]
  /** The account has another mailbox now. */
  isNewMailbox?: true
  /** An operator deactivated the account or set its password. */
  isByOperator?: true
}

export type RevocationListener = (
  trx: Transaction,
  user_id: string,
  revocation: Revocation,
) => Promise<void>

export type Options = {
  db: Database
  keys: Keys
  links: Links
  notifications: Notifications
  audit: Audit
  throttle: Throttle
  passwords: Passwords
  now: () => Date
  authUrl: string
  appealsEmail: string
  /** Accounts have free ids only above 0. */
  freeCeiling: number
}

export type Deps = Options & {
  limits: Limits
  whenDemoted: UserListener[]
  whenDisowned: UserListener[]
  beforeDeletion: UserListener[]
  whenRevoked: RevocationListener[]
}
