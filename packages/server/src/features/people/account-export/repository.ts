import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '../../../tables.ts'

type Db = Kysely<Tables>

/**
 * One part of an export. Every member is named here, so that a new column, which may hold a secret,
 * is never exported by accident.
 */
type Part = {
  /** The keys of all entries, in the order of the export. */
  keys: (user_id: string) => RawBuilder<{ key: string }>
  /**
   * Entries by their keys, as JSON texts. They are checked to be the user's again: an id may have
   * changed hands since.
   */
  rows: (user_id: string, keys: readonly string[]) => RawBuilder<Row>
  /** Entries read at once. */
  batch: number
}
type Row = { key: string; row: string }

export const findAccount = async (db: Db, user_id: string) => {
  const { rows } = await sql<{ row: string; epoch: number }>`
    select epoch, json_build_object(
      'id', id, 'email', email, 'email_verified_at', email_verified_at,
      'former_emails', (
        select coalesce(json_agg(distinct data ->> 'email'), '[]') from links
        where user_id = users.id and purpose = 'not_me' and data ->> 'told' = 'email'
      ),
      'alternate_id', alternate_id, 'first_name', first_name, 'last_name', last_name,
      'role', role, 'has_password', password_hash is not null, 'source', source,
      'free_limit', free_limit, 'free_used', free_used, 'created_at', created_at,
      'updated_at', updated_at)::text as row
    from users where id = ${user_id} and deleted_at is null`.execute(db)
  return rows[0]
}

export const findEpoch = (db: Db, user_id: string) =>
  db.selectFrom('users').select('epoch').where('id', '=', user_id).executeTakeFirst()

export const findKeys = async (db: Db, part: Part, user_id: string, limit: number) => {
  const { rows } = await sql<{ key: string }>`
    select key from (${part.keys(user_id)}) as listed limit ${limit}`.execute(db)
  return rows.map(({ key }) => key)
}

/** The entries that still exist, in the order of their keys. */
export async function findRows(db: Db, part: Part, user_id: string, keys: readonly string[]) {
  const { rows } = await part.rows(user_id, keys).execute(db)
  const byKey = new Map(rows.map(({ key, row }) => [key, row]))
  return keys.flatMap((key) => byKey.get(key) ?? [])
}

const few = 200
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
    batch: few,
    keys: (user_id) => sql`
      select organization_id::text as key from organization_members
      where user_id = ${user_id} order by created_at`,
    rows: (user_id, keys) => sql`
      select organization_id::text as key, json_build_object(
        'id', organization_id, 'name', organizations.name, 'role', member.role,
        'since', member.created_at)::text as row
      from organization_members member join organizations on organizations.id = organization_id
      where user_id = ${user_id} and organization_id = any (${keys}::uuid[])`,
  },
  keys: {
    batch: few,
    keys: (user_id) => sql`
      select pubkey as key from keys where user_id = ${user_id} order by created_at`,
    rows: (user_id, keys) => sql`
      select pubkey as key, json_build_object(
        'pubkey', pubkey, 'private_key_is_kept_here', sealed_private_key is not null,
        'proven_at', proven_at, 'created_at', created_at)::text as row
      from keys where user_id = ${user_id} and pubkey = any (${keys}::text[])`,
  },
  wallets: {
    batch: few,
    keys: (user_id) => sql`
      select eth_address as key from wallets where user_id = ${user_id} order by created_at`,
    rows: (user_id, keys) => sql`
      select eth_address as key, json_build_object(
        'eth_address', eth_address, 'source', source, 'proven', proven,
        'created_at', created_at)::text as row
      from wallets where user_id = ${user_id} and eth_address = any (${keys}::text[])`,
  },
  second_factors: {
    batch: few,
    keys: (user_id) => sql`
      select provider as key from second_factors where user_id = ${user_id} order by confirmed_at`,
    rows: (user_id, keys) => sql`
      select provider as key, json_build_object(
        'provider', provider, 'confirmed_at', confirmed_at)::text as row
      from second_factors where user_id = ${user_id} and provider = any (${keys}::text[])`,
  },
  passkeys: {
    batch: few,
    keys: (user_id) => sql`
      select id::text as key from passkeys where user_id = ${user_id} order by created_at, id`,
    rows: (user_id, keys) => sql`
      select id::text as key, json_build_object(
        'name', name, 'created_at', created_at, 'last_used_at', last_used_at)::text as row
      from passkeys where user_id = ${user_id} and id = any (${keys}::uuid[])`,
  },
  api_keys: {
    batch: few,
    keys: (user_id) => sql`
      select id::text as key from api_keys where user_id = ${user_id} order by created_at`,
    rows: (user_id, keys) => sql`
      select id::text as key, json_build_object(
        'id', id, 'name', name, 'scopes', scopes, 'created_at', created_at,
        'expires_at', expires_at, 'deleted_at', deleted_at, 'last_used_at', last_used_at,
        'last_used_network', last_used_network, 'last_used_agent', last_used_agent)::text as row
      from api_keys where user_id = ${user_id} and id::text = any (${keys}::text[])`,
  },
  sessions: {
    batch: few,
    keys: (user_id) => sql`
      select id::text as key from sessions where user_id = ${user_id} order by created_at`,
    rows: (user_id, keys) => sql`
      select id::text as key, json_build_object(
        'id', id, 'kind', kind, 'user_agent', user_agent, 'logged_in_at', logged_in_at,
        'created_at', created_at, 'last_used_at', last_used_at, 'expires_at', expires_at,
        'ended_at', ended_at)::text as row
      from sessions where user_id = ${user_id} and id = any (${keys}::uuid[])`,
  },
  applications: {
    batch: few,
    keys: (user_id) => sql`
      select id::text as key from oauth_grants where user_id = ${user_id} order by created_at`,
    rows: (user_id, keys) => sql`
      select granted.id::text as key, json_build_object(
        'application', client.name, 'client_id', client_id, 'emoji_id', emoji_id,
        'created_at', granted.created_at, 'last_used_at', last_used_at,
        'expires_at', expires_at, 'ended_at', ended_at)::text as row
      from oauth_grants granted left join oauth_clients client on client.id = client_id
      where user_id = ${user_id} and granted.id = any (${keys}::uuid[])`,
  },
  emoji_ids: {
    batch: ids,
    keys: (user_id) => sql`
      select emoji_id as key from emoji_ids join keys using (pubkey)
      where keys.user_id = ${user_id} order by emoji_ids.created_at, emoji_id`,
    rows: (user_id, keys) => sql`
      select emoji_id as key, json_build_object(
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
            and record_history.actor_id = ${user_id}), '[]'::json))::text as row
      from emoji_ids join keys using (pubkey)
      where keys.user_id = ${user_id} and emoji_id = any (${keys}::text[])`,
  },
  planned_changes: {
    batch: ids,
    keys: (user_id) => sql`
      select number::text as key from waiting_changes
        join emoji_ids using (emoji_id) join keys using (pubkey)
      where keys.user_id = ${user_id} order by number`,
    rows: (user_id, keys) => sql`
      select number::text as key, json_build_object(
        'emoji_id', emoji_id, 'inserted', inserted, 'removed', removed,
        'asked_at', asked_at, 'changes_at', changes_at)::text as row
      from waiting_changes join emoji_ids using (emoji_id) join keys using (pubkey)
      where keys.user_id = ${user_id} and number::text = any (${keys}::text[])`,
  },
  orders: {
    batch: ids,
    keys: (user_id) => sql`
      select id::text as key from orders where user_id = ${user_id} order by created_at, id`,
    rows: (user_id, keys) => sql`
      select id::text as key, json_build_object(
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
          from ledger_entries entry where order_id = orders.id), '[]'::json))::text as row
      from orders where user_id = ${user_id} and id = any (${keys}::uuid[])`,
  },
  lootboxes: {
    batch: few,
    keys: (user_id) => sql`
      select id::text as key from lootboxes where owner_id = ${user_id} order by created_at, id`,
    // The content of an unopened box is a secret of the service.
    rows: (user_id, keys) => sql`
      select id::text as key, json_build_object(
        'id', id, 'status', status, 'opened_at', opened_at, 'order_id', order_id,
        'emoji_ids', case when status = 'Used' then to_json(yats) end)::text as row
      from lootboxes where owner_id = ${user_id} and id::text = any (${keys}::text[])`,
  },
  transfers: {
    batch: few,
    keys: (user_id) => sql`
      select id::text as key from transfers
      where sender_id = ${user_id}
        or (recipient_id = ${user_id} and status = 'accepted')
      order by created_at, id`,
    // The recipient does not learn the sender, and not the address that the sender typed.
    rows: (user_id, keys) => sql`
      select id::text as key, json_build_object(
        'id', id, 'emoji_id', emoji_id, 'status', status,
        'direction', case when sender_id = ${user_id} then 'sent' else 'received' end,
        'email', case when sender_id = ${user_id} then email end,
        'message', message, 'clear_on_transfer', clear_on_transfer,
        'created_at', created_at, 'accepted_at', accepted_at, 'deleted_at', deleted_at)::text as row
      from transfers
      where id = any (${keys}::uuid[])
        and (sender_id = ${user_id} or (recipient_id = ${user_id} and status = 'accepted'))`,
  },
  watchlist: {
    batch: few,
    keys: (user_id) => sql`
      select id::text as key from interests where user_id = ${user_id} order by created_at`,
    rows: (user_id, keys) => sql`
      select id::text as key, json_build_object(
        'emoji_id', emoji_id, 'created_at', created_at, 'notified_at', notified_at)::text as row
      from interests where user_id = ${user_id} and id = any (${keys}::uuid[])`,
  },
  notifications: {
    batch: few,
    keys: (user_id) => sql`
      select id::text as key from notifications where user_id = ${user_id} order by created_at, id`,
    rows: (user_id, keys) => sql`
      select id::text as key, json_build_object(
        'kind', kind, 'title', title, 'text', text, 'page', page,
        'created_at', created_at, 'read_at', read_at)::text as row
      from notifications where user_id = ${user_id} and id = any (${keys}::uuid[])`,
  },
  webhook_endpoints: {
    batch: few,
    keys: (user_id) => sql`
      select id::text as key from webhook_endpoints
      where user_id = ${user_id} and organization_id is null order by created_at, id`,
    // An endpoint of an organization is not data of the member who made it.
    rows: (user_id, keys) => sql`
      select id::text as key, json_build_object(
        'id', id, 'url', url, 'types', types, 'status', status, 'created_at', created_at,
        'updated_at', updated_at)::text as row
      from webhook_endpoints
      where user_id = ${user_id} and organization_id is null and id = any (${keys}::uuid[])`,
  },
  audit: {
    batch: few,
    keys: (user_id) => sql`
      select id::text as key from audit_entries where subject_id = ${user_id} order by id`,
    // Other details, and those of other actors such as operators, may name third parties.
    rows: (user_id, keys) => sql`
      select id::text as key, json_build_object(
        'at', at, 'event', event, 'result', result,
        'by', case when actor_id = subject_id then 'account'
          when actor_id is null then 'service' else 'other' end,
        'details', case when actor_id = subject_id then (
          select jsonb_object_agg(detail.key, detail.value) from jsonb_each(details) detail
          where detail.key = any (${ownDetails}::text[])) end)::text as row
      from audit_entries where subject_id = ${user_id} and id = any (${keys}::bigint[])`,
  },
}
