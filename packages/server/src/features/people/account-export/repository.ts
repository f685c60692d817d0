import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../tables.ts'

/**
 * One part of an export. Every member is named here, so that a new column, which may hold a secret,
 * is never exported by accident.
 */
type Part = {
  from: Sql
  /** By default the column `user_id` is compared. */
  isOwn?: (user_id: string) => Sql
  key: Sql
  /** The SQL type of `key`; by default uuid. */
  key_type?: Sql
  order: Sql
  /** Names and values of the entry. */
  entry: (user_id: string) => Sql
  /** Entries read at once. */
  batch?: number
}
type Sql = RawBuilder<unknown>

export const findAccount = async (db: Database, user_id: string) => {
  const { rows } = await sql<{ row: string; epoch: number }>`
    select epoch, json_build_object(
      'id', id, 'email', email, 'email_verified_at', email_verified_at,
      'former_emails', (
        select coalesce(json_agg(distinct data ->> 'email'), '[]') from links
        where user_id = users.id and purpose = 'not_me' and data ->> 'event' = 'email'
      ),
      'alternate_id', alternate_id, 'first_name', first_name, 'last_name', last_name,
      'role', role, 'has_password', password_hash is not null, 'source', source,
      'free_limit', free_limit, 'free_used', free_used, 'created_at', created_at,
      'updated_at', updated_at)::text as row
    from users where id = ${user_id} and deleted_at is null`.execute(db)
  return rows[0]
}

export const findEpoch = (db: Database, user_id: string) =>
  db.selectFrom('users').select('epoch').where('id', '=', user_id).executeTakeFirst()

const ownRows = ({ from, isOwn }: Part, user_id: string) =>
  sql`from ${from} where (${isOwn ? isOwn(user_id) : sql`user_id = ${user_id}`})`

/** The keys of all entries, in the order of the export. */
export const findKeys = async (db: Database, part: Part, user_id: string, limit: number) => {
  const { rows } = await sql<{ key: string }>`
    select ${part.key}::text as key ${ownRows(part, user_id)}
    order by ${part.order} limit ${limit}`.execute(db)
  return rows.map(({ key }) => key)
}

/**
 * The entries that still exist, as JSON texts in the order of their keys. They are checked to be the
 * user's again: an id may have changed hands since.
 */
export async function findRows(db: Database, part: Part, user_id: string, keys: readonly string[]) {
  const { key, key_type = sql`uuid`, entry } = part
  const { rows } = await sql<{ key: string; row: string }>`
    select ${key}::text as key, json_build_object(${entry(user_id)})::text as row
    ${ownRows(part, user_id)} and ${key} = any (${keys}::${key_type}[])`.execute(db)
  const byKey = new Map(rows.map((row) => [row.key, row.row]))
  return keys.flatMap((one) => byKey.get(one) ?? [])
}

export const usualBatch = 200
/** An id has up to hundreds of kilobytes of records and stored data. */
const ids = 20

/** Details of audit entries that never name another person. */
const ownDetails = [
  'emoji_id',
  'emoji_ids',
  'order_id',
  'transfer_id',
  'version',
  'pubkey',
  'provider',
  'by_session',
  'by_key',
]

/** Parts in the order of the export. */
export const parts: Record<string, Part> = {
  organizations: {
    from: sql`organization_members member
      join organizations on organizations.id = organization_id`,
    key: sql`organization_id`,
    order: sql`member.created_at`,
    entry: () => sql`
      'id', organization_id, 'name', organizations.name, 'role', member.role,
      'since', member.created_at`,
  },
  keys: {
    from: sql`keys`,
    key: sql`pubkey`,
    key_type: sql`text`,
    order: sql`created_at`,
    entry: () => sql`
      'pubkey', pubkey, 'private_key_is_kept_here', sealed_private_key is not null,
      'proven_at', proven_at, 'created_at', created_at`,
  },
  wallets: {
    from: sql`wallets`,
    key: sql`eth_address`,
    key_type: sql`text`,
    order: sql`created_at`,
    entry: () => sql`
      'eth_address', eth_address, 'source', source, 'proven', proven,
      'created_at', created_at`,
  },
  second_factors: {
    from: sql`second_factors`,
    key: sql`provider`,
    key_type: sql`text`,
    order: sql`confirmed_at`,
    entry: () => sql`
      'provider', provider, 'confirmed_at', confirmed_at`,
  },
  passkeys: {
    from: sql`passkeys`,
    key: sql`id`,
    order: sql`created_at, id`,
    entry: () => sql`
      'name', name, 'created_at', created_at, 'last_used_at', last_used_at`,
  },
  api_keys: {
    from: sql`api_keys`,
    key: sql`id`,
    order: sql`created_at`,
    entry: () => sql`
      'id', id, 'name', name, 'scopes', scopes, 'created_at', created_at,
      'expires_at', expires_at, 'deleted_at', deleted_at, 'last_used_at', last_used_at,
      'last_used_network', last_used_network, 'last_used_agent', last_used_agent`,
  },
  sessions: {
    from: sql`sessions`,
    key: sql`id`,
    order: sql`created_at`,
    entry: () => sql`
      'id', id, 'kind', kind, 'user_agent', user_agent, 'logged_in_at', logged_in_at,
      'created_at', created_at, 'last_used_at', last_used_at, 'expires_at', expires_at,
      'ended_at', ended_at`,
  },
  applications: {
    from: sql`oauth_grants granted
      left join oauth_clients client on client.id = client_id`,
    key: sql`granted.id`,
    order: sql`granted.created_at`,
    entry: () => sql`
      'application', client.name, 'client_id', client_id, 'emoji_id', emoji_id,
      'created_at', granted.created_at, 'last_used_at', last_used_at,
      'expires_at', expires_at, 'ended_at', ended_at`,
  },
  emoji_ids: {
    batch: ids,
    from: sql`emoji_ids join keys using (pubkey)`,
    isOwn: (user_id) => sql`keys.user_id = ${user_id}`,
    key: sql`emoji_id`,
    key_type: sql`text`,
    order: sql`emoji_ids.created_at, emoji_id`,
    entry: (user_id) => sql`
      'emoji_id', emoji_id, 'display_format', display_format, 'pubkey', pubkey,
      'minted', minted, 'token_id', token_id, 'bought_at', bought_at, 'order_id', order_id,
      'blocked_until', blocked_until, 'frozen_at', frozen_at,
      'suspended_at', suspended_at, 'suspension_reason', suspension_reason,
      'since', emoji_ids.created_at,
      'records', coalesce(
        (select records from record_sets where record_sets.emoji_id = emoji_ids.emoji_id),
        '[]'::json),
      'stored_data', coalesce((
        select json_agg(json_build_object(
          'key', key, 'data', data, 'is_locked', is_locked,
          'created_at', created_at, 'updated_at', updated_at) order by key)
        from store_entries where store_entries.emoji_id = emoji_ids.emoji_id), '[]'::json),
      'delay_lock_hours', (
        select hours from delay_locks where delay_locks.emoji_id = emoji_ids.emoji_id),
      'record_changes', coalesce((
        select json_agg(json_build_object('at', changed_at, 'version', version) order by version)
        from record_history
        where record_history.emoji_id = emoji_ids.emoji_id
          and record_history.actor_id = ${user_id}), '[]'::json)`,
  },
  planned_changes: {
    batch: ids,
    from: sql`waiting_changes
      join emoji_ids using (emoji_id) join keys using (pubkey)`,
    isOwn: (user_id) => sql`keys.user_id = ${user_id}`,
    key: sql`number`,
    key_type: sql`bigint`,
    order: sql`number`,
    entry: () => sql`
      'emoji_id', emoji_id, 'inserted', inserted, 'removed', removed,
      'asked_at', asked_at, 'changes_at', changes_at`,
  },
  orders: {
    batch: ids,
    from: sql`orders`,
    key: sql`id`,
    order: sql`created_at, id`,
    entry: () => sql`
      'id', id, 'status', status, 'method', method, 'created_at', created_at,
      'paid_at', paid_at, 'refund_requested_at', refund_requested_at,
      'refund_request', refund_request, 'refund_declined', refund_declined,
      'items', coalesce((
        select json_agg(json_build_object(
          'item_type', item_type, 'emoji_id', emoji_id, 'lootbox_id', lootbox_id,
          'quantity', quantity, 'refunded_quantity', refunded_quantity,
          'unit_price_in_cents', unit_price_in_cents,
          'client_fee_in_cents', client_fee_in_cents,
          'company_fee_in_cents', company_fee_in_cents) order by position)
        from order_items where order_id = orders.id), '[]'::json),
      'money', coalesce((
        select json_agg(json_build_object(
          'kind', kind, 'amount_in_cents', amount_in_cents, 'provider', provider,
          'reference', reference, 'at', entry.created_at) order by entry.id)
        from ledger_entries entry where order_id = orders.id), '[]'::json)`,
  },
  lootboxes: {
    from: sql`lootboxes`,
    isOwn: (user_id) => sql`owner_id = ${user_id}`,
    key: sql`id`,
    order: sql`created_at, id`,
    // The content of an unopened box is a secret of the service.
    entry: () => sql`
      'id', id, 'status', status, 'opened_at', opened_at, 'order_id', order_id,
      'emoji_ids', case when status = 'Used' then to_json(yats) end`,
  },
  transfers: {
    from: sql`transfers`,
    isOwn: (user_id) =>
      sql`sender_id = ${user_id} or (recipient_id = ${user_id} and status = 'accepted')`,
    key: sql`id`,
    order: sql`created_at, id`,
    // The recipient does not learn the sender, and not the address that the sender typed.
    entry: (user_id) => sql`
      'id', id, 'emoji_id', emoji_id, 'status', status,
      'direction', case when sender_id = ${user_id} then 'sent' else 'received' end,
      'email', case when sender_id = ${user_id} then email end,
      'message', message, 'clear_on_transfer', clear_on_transfer,
      'created_at', created_at, 'accepted_at', accepted_at, 'deleted_at', deleted_at`,
  },
  watchlist: {
    from: sql`interests`,
    key: sql`id`,
    order: sql`created_at`,
    entry: () => sql`
      'emoji_id', emoji_id, 'created_at', created_at, 'notified_at', notified_at`,
  },
  notifications: {
    from: sql`notifications`,
    key: sql`id`,
    order: sql`created_at, id`,
    entry: () => sql`
      'kind', kind, 'title', title, 'text', text, 'page', page,
      'created_at', created_at, 'read_at', read_at`,
  },
  audit: {
    from: sql`audit_entries`,
    isOwn: (user_id) => sql`subject_id = ${user_id}`,
    key: sql`id`,
    key_type: sql`bigint`,
    order: sql`id`,
    // Other details, and those of other actors such as operators, may name third parties.
    entry: () => sql`
      'at', at, 'event', event, 'result', result,
      'by', case when actor_id = subject_id then 'account'
        when actor_id is null then 'service' else 'other' end,
      'details', case when actor_id = subject_id then (
        select jsonb_object_agg(detail.key, detail.value) from jsonb_each(details) detail
        where detail.key = any (${ownDetails}::text[])) end`,
  },
}
