import { sql } from 'kysely'
import type { Database, Transaction } from '../../../tables.ts'
import type { MemberRole } from './schema.ts'

type Credential = {
  epoch: number
  /** Null if the account has no such session, or no such key. */
  session_open: boolean | null
  key_open: boolean | null
}

/** Locks an active account against revocation until the transaction ends. */
export const lockAccount = (trx: Transaction, user_id: string) =>
  trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', user_id)
    .where('deactivated_at', 'is', null)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()

/**
 * A separate statement: the statement that waits for the lock sees sessions and keys as they were
 * before.
 */
export async function findCredential(
  trx: Transaction,
  user_id: string,
  { session_id, key_id }: { session_id: string | null; key_id: string | null },
) {
  const { rows } = await sql<Credential>`select u.epoch,
      (select s.ended_at is null and not s.second_factor_due from sessions s
        where s.id = ${session_id}::uuid and s.user_id = u.id) as session_open,
      (select k.deleted_at is null from api_keys k
        where k.id = ${key_id}::uuid and k.user_id = u.id) as key_open
    from users u where u.id = ${user_id}::uuid`.execute(trx)
  return rows[0]
}

type CurrentCaller = Credential & {
  memberships: Record<string, MemberRole>
  /** Also true for an account without an email address. */
  is_confirmed: boolean
}

/** The credential of an active account, and its memberships. */
export async function findCurrent(
  db: Database,
  user_id: string,
  { session_id, key_id }: { session_id: string | null; key_id: string | null },
): Promise<CurrentCaller | undefined> {
  const { rows } = await sql<CurrentCaller>`select u.epoch,
      (select s.ended_at is null and not s.second_factor_due from sessions s
        where s.id = ${session_id}::uuid and s.user_id = u.id) as session_open,
      (select k.deleted_at is null from api_keys k
        where k.id = ${key_id}::uuid and k.user_id = u.id) as key_open,
      (select coalesce(json_object_agg(m.organization_id, m.role), '{}') from organization_members m
        where m.user_id = u.id) as memberships,
      u.email is null or u.email_verified_at is not null as is_confirmed
    from users u
    where u.id = ${user_id}::uuid and u.deactivated_at is null and u.deleted_at is null`.execute(db)
  return rows[0]
}
