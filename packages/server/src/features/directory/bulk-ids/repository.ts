import { sql } from 'kysely'
import type { Database, Transaction } from '../../../tables.ts'
import type { KeptRecord } from '../records/records.ts'
import type { ExportedId, ExportQuery } from './schema.ts'

export type UserRow = {
  id: string
  email: string | null
  email_verified_at: Date | null
  deactivated_at: Date | null
  pubkey: string | null
  is_useful: boolean | null
}

/**
 * Locks users with their first key, sorted by id. None of them can be deactivated or deleted before
 * the transaction ends.
 */
export async function lockUsers(
  trx: Transaction,
  user_ids: readonly string[],
  emails: readonly string[],
): Promise<UserRow[]> {
  const { rows } = await sql<UserRow>`
    select u.id, lower(u.email) as email, u.email_verified_at, u.deactivated_at, key.pubkey, key.is_useful
    from users u left join lateral (
      select pubkey, sealed_private_key is not null or proven_at is not null as is_useful
      from keys where user_id = u.id order by created_at, pubkey limit 1) as key on true
    where (u.id = any (${user_ids}::uuid[]) or lower(u.email) = any (${emails}::text[]))
      and u.deleted_at is null
    order by u.id for share of u`.execute(trx)
  return rows
}

export type KeyRow = {
  pubkey: string
  user_id: string | null
  organization_id: string | null
  is_useful: boolean
  /** True for an active account, and for an organization. */
  is_active: boolean
}

export async function findKeys(trx: Transaction, pubkeys: readonly string[]): Promise<KeyRow[]> {
  const { rows } = await sql<KeyRow>`
    select key.pubkey, key.user_id, key.organization_id,
      sealed_private_key is not null or proven_at is not null as is_useful,
      key.user_id is null or (u.deleted_at is null and u.deactivated_at is null) as is_active
    from keys key left join users u on u.id = key.user_id
    where key.pubkey = any (${pubkeys}::text[])
    order by key.pubkey for share of key`.execute(trx)
  return rows
}

/** In bytes of records; a page has at least one id. */
const pageBytes = 4_000_000

/** Ids in the order of their emojis, and whether more follow. */
export async function findPage(db: Database, { after = '', limit }: ExportQuery) {
  const { rows } = await sql<
    Omit<ExportedId, 'records'> & { canonical: string; listed: number; records: KeptRecord[] }
  >`
    select canonical, emoji_id, pubkey, user_id, organization_id, records, listed
    from (
      select listed.*, count(*) over ()::int as listed,
        sum(octet_length(records::text)) over (order by canonical) - octet_length(records::text) as before
      from (
        select id.emoji_id as canonical, id.display_format as emoji_id, id.pubkey,
          key.user_id, key.organization_id, coalesce(set.records, '[]') as records
        from emoji_ids id
        left join keys key on key.pubkey = id.pubkey
        left join record_sets set on set.emoji_id = id.emoji_id
        where id.emoji_id > ${after}
        order by id.emoji_id limit ${limit}) as listed) as page
    where before < ${pageBytes} order by canonical`.execute(db)
  const isCut = rows.length < (rows[0]?.listed ?? 0)
  return { rows, isMore: isCut || rows.length === limit }
}
