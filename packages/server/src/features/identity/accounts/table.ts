import type { Generated, GeneratedAlways, Selectable } from 'kysely'
import type { GlobalRole, Provider } from '../../operations/access/schema.ts'

export type UsersTable = {
  id: Generated<string>
  email: string | null
  email_verified_at: Date | null
  /** When the owner of the mailbox first signed in with an emailed link. */
  claimed_at: Date | null
  alternate_id: string | null
  source: string | null
  first_name: string | null
  last_name: string | null
  password_hash: string | null
  /** An app made the password; no person chose it. */
  password_by_app: Generated<boolean>
  role: Generated<GlobalRole>
  free_limit: Generated<number>
  free_used: Generated<number>
  activation_source: string | null
  partner_transaction_id: string | null
  two_factor_last_prompted_at: Date | null
  /** The enabled second factors; the first is the default. */
  two_factor_auth: Generated<Provider[]>
  /** Raising this revokes every session and access token. */
  epoch: Generated<number>
  deactivated_at: Date | null
  deleted_at: Date | null
  created_at: Date
  updated_at: Date
  /** Lower-case text for searches. */
  searchable: GeneratedAlways<string>
}

export type User = Selectable<UsersTable>
