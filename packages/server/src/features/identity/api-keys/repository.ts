import type { Generated, Insertable, Selectable, Updateable } from 'kysely'
import type { Prepare } from '../../../platform/database/prepared.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { GlobalRole, MemberRole, Provider, Scope } from '../../operations/access/access.ts'

export type ApiKeysTable = {
  id: string
  user_id: string
  name: string
  scopes: Scope[]
  token_sha256: Buffer
  with_second_factor: boolean
  /** The owner removed a second factor after the key was created. */
  outlived_second_factor: Generated<boolean>
  created_at: Date
  expires_at: Date | null
  deleted_at: Date | null
  /** Stored to the minute. */
  last_used_at: Generated<Date | null>
  last_used_network: Generated<string | null>
  last_used_agent: Generated<string | null>
}
export type ApiKey = Selectable<ApiKeysTable>

export const insert = (trx: Transaction, key: Insertable<Tables['api_keys']>) =>
  trx.insertInto('api_keys').values(key).returningAll().executeTakeFirstOrThrow()

export const findOfUser = (db: Database, user_id: string) =>
  db
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .execute()

export const remove = (trx: Transaction, user_id: string, id: string, at: Date) =>
  trx
    .updateTable('api_keys')
    .set({ deleted_at: at })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

export const removeAll = (trx: Transaction, user_id: string, at: Date) =>
  trx
    .updateTable('api_keys')
    .set({ deleted_at: at })
    .where('user_id', '=', user_id)
    .where('deleted_at', 'is', null)
    .execute()

export const limitAll = (trx: Transaction, user_id: string) =>
  trx
    .updateTable('api_keys')
    .set({ outlived_second_factor: true })
    .where('user_id', '=', user_id)
    .execute()

/** Also counts removed keys. */
export async function countSince(trx: Transaction, user_id: string, since: Date): Promise<number> {
  const { count } = await trx
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('user_id', '=', user_id)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The condition lets only one of many concurrent requests write. */
export const recordUse = (
  db: Database,
  id: string,
  use: Pick<Updateable<Tables['api_keys']>, 'last_used_network' | 'last_used_agent'>,
  at: Date,
  before: Date,
) =>
  db
    .updateTable('api_keys')
    .set({ ...use, last_used_at: at })
    .where('id', '=', id)
    .where(({ or, eb }) => or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', before)]))
    .execute()

type KeyHolder = {
  id: string
  user_id: string
  epoch: number
  scopes: Scope[]
  role: GlobalRole
  provider: Provider | null
  is_fresh: boolean
  outlived_second_factor: boolean
  expires_at: Date | null
  last_used_at: Date | null
  memberships: Record<string, MemberRole>
}

/** The current holder of a key. A key that is older than the second factor is not fresh. */
export const findHolder = (prepare: Prepare) =>
  prepare<KeyHolder>(
    'find-key-holder',
    `select k.id, k.user_id, k.scopes, k.expires_at, k.last_used_at, k.outlived_second_factor, u.role, u.epoch,
       u.two_factor_auth[1] as provider,
       k.with_second_factor and k.created_at >= coalesce((select max(f.confirmed_at)
         from second_factors f where f.user_id = u.id), k.created_at) as is_fresh,
       coalesce((select json_object_agg(m.organization_id, m.role)
         from organization_members m where m.user_id = u.id), '{}') as memberships
     from api_keys k join users u on u.id = k.user_id
     where k.token_sha256 = $1::bytea and k.deleted_at is null and u.deactivated_at is null
       and (k.expires_at is null or k.expires_at > $2::timestamptz)`,
  )
