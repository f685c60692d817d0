import type { endpointStatuses } from '@emojid/core'
import {
  type Generated,
  type GeneratedAlways,
  type Insertable,
  type Selectable,
  sql,
  type Updateable,
} from 'kysely'
import { lowerText } from '../../../platform/database/contains-pattern.ts'
import { readPage } from '../../../platform/database/page.ts'
import { rewrapColumn } from '../../../platform/database/rewrap.ts'
import { pageBounds } from '../../../platform/http/api/paging.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { MemberRole, Scope } from '../../operations/access/access.ts'
import { lanesAtMost, type Pool, setbacksAtMost } from './rules.ts'
import type { AdminEndpointQuery, DeliveryQuery } from './schema.ts'

/** `stopped` is set by operators, and the owner cannot change it. */
export type EndpointStatus = (typeof endpointStatuses)[number]

export type StatusReason =
  | 'gone'
  | 'failing'
  | 'access_lost'
  | 'key_revoked'
  | 'access_revoked'
  | 'operator'

export type DeliveryStatus = 'waiting' | 'sending' | 'delivered' | 'failed' | 'cancelled'

export type WebhookEndpointsTable = {
  id: Generated<string>
  /** The account that is responsible. */
  user_id: string
  /** The owner; null: the account itself. */
  organization_id: string | null
  /** The API key that made the endpoint. */
  api_key_id: string | null
  /** Scheme and host of the address. */
  origin: string
  sealed_url: string
  /** Empty: all types. */
  types: string[]
  status: Generated<EndpointStatus>
  status_reason: StatusReason | null
  /** The operator's reason. */
  note: string | null
  sealed_secret: string
  /** Also signs until `previous_until`. */
  sealed_previous: string | null
  previous_until: Date | null
  /** The secret before the previous one also signs until `older_until`. */
  sealed_older: string | null
  older_until: Date | null
  /** The last delivery succeeded quickly. */
  is_healthy: Generated<boolean>
  /** Failed and slow tries since the last quick success. */
  setbacks: Generated<number>
  /** Failed tries since the last success. */
  failures: Generated<number>
  failing_since: Date | null
  /** No delivery before this. */
  hold_until: Date | null
  last_success_at: Date | null
  /** Events after this number were not queued, because the endpoint was disabled. */
  missed_after: number | null
  created_at: Date
  updated_at: Date
}

export type WebhookDeliveriesTable = {
  id: Generated<string>
  /** The oldest is sent first. */
  place: GeneratedAlways<number>
  endpoint_id: string
  event_id: string
  /** Null for a test event. */
  number: number | null
  type: string
  emoji_id: string | null
  /** The exact body, which is signed. */
  payload: string
  status: Generated<DeliveryStatus>
  tries: Generated<number>
  due_at: Date
  /** The dispatcher that sends it. */
  leased_by: string | null
  leased_until: Date | null
  response_status: number | null
  latency_ms: number | null
  /** The beginning of the response. */
  answer: string | null
  error: string | null
  last_tried_at: Date | null
  created_at: Date
}

/** One row: events up to this number have their deliveries. */
export type WebhookProgressTable = { only_row: Generated<boolean>; queued_number: number }

export type Endpoint = Selectable<WebhookEndpointsTable>
export type Delivery = Selectable<WebhookDeliveriesTable>

export type Owner = { user_id: string } | { organization_id: string }

export const insertEndpoint = (trx: Transaction, row: Insertable<Tables['webhook_endpoints']>) =>
  trx.insertInto('webhook_endpoints').values(row).returningAll().executeTakeFirstOrThrow()

export const findEndpoints = (db: Database, owner: Owner): Promise<Endpoint[]> => {
  const all = db.selectFrom('webhook_endpoints').selectAll().orderBy('created_at').orderBy('id')
  return (
    'user_id' in owner
      ? all.where('user_id', '=', owner.user_id).where('organization_id', 'is', null)
      : all.where('organization_id', '=', owner.organization_id)
  ).execute()
}

export const findEndpoint = (db: Database, id: string): Promise<Endpoint | undefined> =>
  db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirst()

/**
 * Locks the endpoint against other changes, but not against new deliveries, which refer to it: a
 * replay waits for the same deliveries, and with a full lock both would wait for each other.
 */
export const findEndpointToChange = (trx: Transaction, id: string): Promise<Endpoint | undefined> =>
  trx
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

export const updateEndpoint = (
  trx: Transaction,
  id: string,
  change: Updateable<Tables['webhook_endpoints']>,
): Promise<Endpoint> =>
  trx
    .updateTable('webhook_endpoints')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

/** The endpoints of any account that an operator stopped at this host. */
export const findStopped = (trx: Transaction, host: string) =>
  trx
    .selectFrom('webhook_endpoints')
    .select(['id', 'user_id', 'organization_id', 'sealed_url'])
    .where('status', '=', 'stopped')
    .where(sql<boolean>`substring(origin from '^https?://(.+)$') = ${host}`)
    .execute()

export const findStoppedOf = (trx: Transaction, user_id: string) =>
  trx
    .selectFrom('webhook_endpoints')
    .select(['id', 'sealed_url'])
    .where('user_id', '=', user_id)
    .where('organization_id', 'is', null)
    .where('status', '=', 'stopped')
    .execute()

/** Cascades to its deliveries. */
export const deleteEndpoint = (trx: Transaction, id: string) =>
  trx.deleteFrom('webhook_endpoints').where('id', '=', id).execute()

/** Except stopped ones, which block their address for other accounts. */
export async function deleteEndpointsOf(trx: Transaction, user_id: string): Promise<void> {
  await trx
    .deleteFrom('webhook_endpoints')
    .where('user_id', '=', user_id)
    .where('organization_id', 'is', null)
    .where('status', '!=', 'stopped')
    .execute()
}

/** New events are not queued from here on. */
export const disableEndpoints = (
  trx: Transaction,
  selector: { id: string } | { user_id: string },
  status_reason: StatusReason,
  now: Date,
) => {
  const all = trx
    .updateTable('webhook_endpoints')
    .set(({ selectFrom }) => ({
      status: 'disabled',
      status_reason,
      missed_after: sql<number>`coalesce(missed_after, ${selectFrom('webhook_progress').select('queued_number')})`,
      updated_at: now,
    }))
    .where('status', 'in', ['active', 'paused'])
  const namedQuery =
    'id' in selector
      ? all.where('id', '=', selector.id)
      : all.where('user_id', '=', selector.user_id)
  return namedQuery.returning(['id', 'origin', 'user_id', 'organization_id']).execute()
}

export const findDeliveryPage = (db: Database, endpoint_id: string, query: DeliveryQuery) => {
  const all = db.selectFrom('webhook_deliveries').where('endpoint_id', '=', endpoint_id)
  return readPage(db, query.status ? all.where('status', '=', query.status) : all, query)
}

export const insertTestDelivery = (
  trx: Transaction,
  row: Insertable<Tables['webhook_deliveries']>,
): Promise<Delivery> =>
  trx.insertInto('webhook_deliveries').values(row).returningAll().executeTakeFirstOrThrow()

export async function countWaitingTests(trx: Transaction, endpoint_id: string): Promise<number> {
  const { count } = await trx
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('endpoint_id', '=', endpoint_id)
    .where('status', '=', 'waiting')
    .where('number', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Queues a delivery again; undefined if there is none, unchanged while it is sent. */
export const queueAgain = (trx: Transaction, endpoint_id: string, id: string, now: Date) =>
  trx
    .updateTable('webhook_deliveries')
    .set({ status: 'waiting', tries: 0, due_at: now })
    .where('id', '=', id)
    .where('endpoint_id', '=', endpoint_id)
    .where('status', '<>', 'sending')
    .returningAll()
    .executeTakeFirst()

export const findDelivery = (db: Database, endpoint_id: string, id: string) =>
  db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', id)
    .where('endpoint_id', '=', endpoint_id)
    .executeTakeFirst()

const payload = sql`json_build_object(
  'type', e.type,
  'timestamp', to_char(e.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'data', e.data)::text`

/** True if events have numbers and no deliveries yet. */
export async function hasUnqueued(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select from events where number > (select queued_number from webhook_progress) limit 1
  `.execute(db)
  return rows.length > 0
}

/** True if a delivery waits, due or not. */
export async function hasWaiting(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select from webhook_deliveries where status = 'waiting' limit 1`.execute(db)
  return rows.length > 0
}

/** Locks the progress; undefined if another process queues deliveries now. */
export async function lockProgress(trx: Transaction): Promise<number | undefined> {
  const row = await trx
    .selectFrom('webhook_progress')
    .select('queued_number')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  return row?.queued_number
}

export const setProgress = (trx: Transaction, queued_number: number) =>
  trx.updateTable('webhook_progress').set({ queued_number }).execute()

/** The last number of the next events; undefined if there are none. */
export async function findBatchEnd(
  trx: Transaction,
  after: number,
  limit: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ last: number | null }>`
    select max(number) as last
    from (select number from events where number > ${after} order by number limit ${limit}) batch
  `.execute(trx)
  return rows[0]?.last ?? undefined
}

/** Makes the deliveries of these events, for the endpoints of the accounts and organizations concerned. */
export async function queueEvents(
  trx: Transaction,
  { after, until }: { after: number; until: number },
  now: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into webhook_deliveries
      (endpoint_id, event_id, number, type, emoji_id, payload, due_at, created_at)
    select w.id, e.event_id, e.number, e.type, e.emoji_id, ${payload}, ${now}, e.created_at
    from events e
    cross join lateral (
      select id, types, status from webhook_endpoints
      where organization_id is null and user_id = any (e.user_ids)
      union all
      select id, types, status from webhook_endpoints
      where organization_id = any (e.organization_ids)
    ) w
    where e.number > ${after} and e.number <= ${until}
      and w.status in ('active', 'paused') and (w.types = '{}' or e.type = any (w.types))
    order by e.number
    on conflict (endpoint_id, event_id) do nothing`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** Queues events for one endpoint, again if they were delivered; returns the numbers. */
export async function replayEvents(
  trx: Transaction,
  { id, user_id, organization_id, types }: Endpoint,
  { after, until, limit }: { after: number; until: number; limit: number },
  now: Date,
): Promise<number[]> {
  const { rows } = await sql<{ number: number }>`
    insert into webhook_deliveries
      (endpoint_id, event_id, number, type, emoji_id, payload, due_at, created_at)
    select ${id}::uuid, e.event_id, e.number, e.type, e.emoji_id, ${payload}, ${now}, e.created_at
    from events e
    where e.number > ${after} and e.number <= ${until}
      and case when ${organization_id}::uuid is null then ${user_id}::uuid = any (e.user_ids)
        else ${organization_id}::uuid = any (e.organization_ids) end
      and (${types}::text[] = '{}' or e.type = any (${types}::text[]))
    order by e.number limit ${limit}
    on conflict (endpoint_id, event_id) do update
      set status = case webhook_deliveries.status when 'sending' then 'sending' else 'waiting' end,
        tries = 0, due_at = ${now}
    returning number`.execute(trx)
  return rows.map(({ number }) => number)
}

/** Where the deliveries of an endpoint count. */
export type Place = {
  pool: Pool
  owner_id: string
  /** Healthy endpoints of a host have a count of their own. */
  host: string
}

/** The place of the endpoint `w`. */
const place = sql`(
  select case when w.is_healthy then 'healthy'
      when w.setbacks > ${setbacksAtMost} then 'troubled' else 'unproven' end as pool,
    coalesce(w.organization_id, w.user_id) as owner_id,
    case when w.is_healthy then 'healthy ' else 'other ' end
      || substring(w.origin from '^https?://(.+)$') as host
) as place`

export type Lane = Place & {
  id: string
  busy: number
  /** Counted up to the most deliveries that an endpoint gets at once. */
  due: number
}

/** Lanes without a free connection. An owner is full in a pool: `pool id`. */
export type FullLanes = {
  isFull: boolean
  pools: readonly Pool[]
  owners: readonly string[]
  hosts: readonly string[]
}

/**
 * Locks endpoints with due deliveries and a free connection. The recursion visits each endpoint
 * once, however many rows wait for it.
 */
export async function lockLanes(
  trx: Transaction,
  full: FullLanes,
  now: Date,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive lane (endpoint_id) as (
      (select endpoint_id from webhook_deliveries where status = 'waiting' order by endpoint_id limit 1)
      union all
      select (
        select d.endpoint_id from webhook_deliveries d
        where d.status = 'waiting' and d.endpoint_id > lane.endpoint_id
        order by d.endpoint_id limit 1)
      from lane where lane.endpoint_id is not null
    )
    select w.id from webhook_endpoints w join lane on lane.endpoint_id = w.id
    cross join lateral ${place}
    where w.status = 'active' and (w.hold_until is null or w.hold_until <= ${now})
      and pool <> all (${full.pools}::text[]) and host <> all (${full.hosts}::text[])
      and pool || ' ' || owner_id <> all (${full.owners}::text[])
      and exists (select from webhook_deliveries d
        where d.endpoint_id = w.id and d.status = 'waiting' and d.due_at <= ${now})
    order by random() limit ${limit}
    for no key update of w skip locked`.execute(trx)
  return rows.map(({ id }) => id)
}

/** After the lock: its snapshot contains what other dispatchers claimed. */
export async function readLanes(
  trx: Transaction,
  ids: readonly string[],
  now: Date,
): Promise<Lane[]> {
  const { rows } = await sql<Lane>`
    select w.id, place.*,
      (select count(*) from webhook_deliveries d
        where d.endpoint_id = w.id and d.status = 'sending') as busy,
      (select count(*) from (select from webhook_deliveries d
        where d.endpoint_id = w.id and d.status = 'waiting' and d.due_at <= ${now}
        limit ${lanesAtMost}) as first) as due
    from webhook_endpoints w cross join lateral ${place} where w.id = any (${ids}::uuid[])`.execute(
    trx,
  )
  return rows
}

const leaseSeconds = 8

export type ClaimedDelivery = Pick<
  Delivery,
  'id' | 'endpoint_id' | 'event_id' | 'type' | 'emoji_id' | 'payload' | 'tries'
>

/** Leases the oldest due deliveries of each endpoint, as many as its share allows. */
export async function claimDeliveries(
  trx: Transaction,
  shares: readonly { endpoint_id: string; limit: number }[],
  by: string,
  now: Date,
): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimedDelivery>`
    update webhook_deliveries d
    set status = 'sending', tries = d.tries + 1, leased_by = ${by},
      leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    from (
      select oldest.id
      from unnest(${shares.map(({ endpoint_id }) => endpoint_id)}::uuid[],
        ${shares.map(({ limit }) => limit)}::integer[]) as share (endpoint_id, deliveries)
      cross join lateral (
        select id from webhook_deliveries w
        where w.endpoint_id = share.endpoint_id and w.status = 'waiting' and w.due_at <= ${now}
        order by w.place limit share.deliveries
      ) as oldest
    ) as chosen
    where d.id = chosen.id and d.status = 'waiting'
    returning d.id, d.endpoint_id, d.event_id, d.type, d.emoji_id, d.payload, d.tries`.execute(trx)
  return rows
}

export async function renewLeases(db: Database, by: string, ids: readonly string[]): Promise<void> {
  await sql`
    update webhook_deliveries
    set leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    where id = any (${ids}::uuid[]) and leased_by = ${by} and status = 'sending'`.execute(db)
}

/** Deliveries of killed processes wait again. */
export async function freeExpiredLeases(db: Database): Promise<void> {
  await sql`
    update webhook_deliveries set status = 'waiting', leased_by = null
    where status = 'sending' and leased_until < clock_timestamp()`.execute(db)
}

/** Writes the end of a try; returns false if the lease was lost. */
export async function finishDelivery(
  trx: Transaction,
  { id, by }: { id: string; by: string },
  change: Updateable<Tables['webhook_deliveries']>,
): Promise<boolean> {
  const row = await trx
    .updateTable('webhook_deliveries')
    .set({ ...change, leased_by: null, leased_until: null })
    .where('id', '=', id)
    .where('leased_by', '=', by)
    .where('status', '=', 'sending')
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export type Success = {
  id: string
  endpoint_id: string
  response_status: number
  latency_ms: number
  answer: string
  isQuick: boolean
}

/**
 * Writes successful tries, unless their lease was lost. An endpoint whose state stays the same is
 * written at most once a second. Endpoints are locked in the order of their ids (no deadlock).
 */
export async function finishSuccesses(
  db: Database,
  by: string,
  successes: readonly Success[],
  now: Date,
): Promise<void> {
  const column = <Name extends keyof Success>(name: Name) => successes.map((one) => one[name])
  await sql`
    with success as (
      select * from unnest(${column('id')}::uuid[], ${column('endpoint_id')}::uuid[],
        ${column('response_status')}::integer[], ${column('latency_ms')}::integer[],
        ${column('answer')}::text[], ${column('isQuick')}::boolean[])
        as one (id, endpoint_id, response_status, latency_ms, answer, is_quick)
    ), stale as (
      select w.id, news.is_quick
      from webhook_endpoints w
      join (select endpoint_id, bool_and(is_quick) as is_quick from success group by endpoint_id)
        as news on news.endpoint_id = w.id
      where w.is_healthy <> news.is_quick or w.setbacks > 0 or w.failures > 0 or w.failing_since is not null
        or w.hold_until is not null or w.last_success_at is null
        or w.last_success_at < ${now}::timestamptz - interval '1 second'
      order by w.id for no key update of w
    ), finished as (
      update webhook_deliveries d
      set status = 'delivered', due_at = ${now}, error = null, last_tried_at = ${now},
        response_status = success.response_status, latency_ms = success.latency_ms,
        answer = success.answer, leased_by = null, leased_until = null
      from success
      where d.id = success.id and d.leased_by = ${by} and d.status = 'sending'
      returning d.endpoint_id
    )
    update webhook_endpoints w
    set is_healthy = stale.is_quick,
      setbacks = case when stale.is_quick then 0 else w.setbacks + 1 end, failures = 0, failing_since = null, hold_until = null,
      last_success_at = ${now}
    from stale
    where w.id = stale.id and w.id in (select endpoint_id from finished)`.execute(db)
}

export type Target = Endpoint & {
  delivery_id: string
  is_account_active: boolean
  /** Also true for an account without an email address. */
  is_confirmed: boolean
  /** The role of the responsible account in the organization. */
  member_role: MemberRole | null
  /** The scopes of the API key that made the endpoint; null if it was revoked. */
  key_scopes: Scope[] | null
  /** The id of the event belongs to the owner of the endpoint. */
  owns_id: boolean
}

/** The endpoints of these deliveries and the current rights of their owners. */
export async function findTargets(
  trx: Transaction,
  deliveries: readonly Pick<Delivery, 'id' | 'endpoint_id' | 'emoji_id'>[],
  now: Date,
): Promise<Map<string, Target>> {
  const { rows } = await sql<Target>`
    select w.*, d.id as delivery_id,
      u.deactivated_at is null and u.deleted_at is null as is_account_active,
      u.email is null or u.email_verified_at is not null as is_confirmed,
      (select m.role from organization_members m
        where m.organization_id = w.organization_id and m.user_id = w.user_id) as member_role,
      (select k.scopes from api_keys k where k.id = w.api_key_id and k.deleted_at is null
        and (k.expires_at is null or k.expires_at > ${now})) as key_scopes,
      exists (select from emoji_ids i join keys k on k.pubkey = i.pubkey
        where i.emoji_id = d.emoji_id and case when w.organization_id is null
          then k.user_id = w.user_id else k.organization_id = w.organization_id end) as owns_id
    from unnest(${deliveries.map(({ id }) => id)}::uuid[],
      ${deliveries.map(({ endpoint_id }) => endpoint_id)}::uuid[],
      ${deliveries.map(({ emoji_id }) => emoji_id)}::text[]) as d (id, endpoint_id, emoji_id)
    join webhook_endpoints w on w.id = d.endpoint_id
    join users u on u.id = w.user_id`.execute(trx)
  return new Map(rows.map((row) => [row.delivery_id, row]))
}

/**
 * Deliveries of active endpoints that are not delivered yet, counted up to a limit, and the time
 * since the oldest of them was due. Endpoints that failed are left out of the time: their retries
 * wait on purpose.
 */
export async function readBacklog(db: Database, now: Date, countedAtMost: number) {
  const { rows } = await sql<{ undelivered: number; oldest_due: Date | null }>`
    select
      (select count(*) from (
        select from webhook_deliveries d join webhook_endpoints w on w.id = d.endpoint_id
        where d.status in ('waiting', 'sending') and w.status = 'active' limit ${countedAtMost}
      ) as first) as undelivered,
      (select min(oldest.due_at) from webhook_endpoints w cross join lateral (
        select d.due_at from webhook_deliveries d
        where d.endpoint_id = w.id and d.status = 'waiting' order by d.due_at limit 1
      ) as oldest
      where w.status = 'active' and w.failures = 0 and oldest.due_at <= ${now}) as oldest_due`.execute(
    db,
  )
  return rows[0] ?? { undelivered: 0, oldest_due: null }
}

/** Wakes the dispatchers of all processes after the commit. */
export async function announceDue(trx: Transaction): Promise<void> {
  await sql`select pg_notify('webhooks_due', '')`.execute(trx)
}

/** Cancels every delivery that is not finished; returns how many. */
export async function cancelUndelivered(db: Database, error: string): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('webhook_deliveries')
    .set({ status: 'cancelled', error, leased_by: null, leased_until: null })
    .where('status', 'in', ['waiting', 'sending'])
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Queues the deliveries again that were cancelled for this reason; returns how many. */
export async function queueCancelled(trx: Transaction, error: string, now: Date): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'waiting', error: null, tries: 0, due_at: now })
    .where('status', '=', 'cancelled')
    .where('error', '=', error)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

export async function deleteOldDeliveries(
  db: Database,
  before: Date,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_deliveries where id in (
      select id from webhook_deliveries where created_at < ${before} order by created_at limit ${limit})
  `.execute(db)
  return Number(numAffectedRows ?? 0)
}

type Rewrap = (id: string, sealedText: string) => string

export const rewrap = async (db: Database, anew: { secret: Rewrap; url: Rewrap }) =>
  (await rewrapColumn(db, { table: 'webhook_endpoints', column: 'sealed_url' }, anew.url)) +
  (await rewrapColumn(db, { table: 'webhook_endpoints', column: 'sealed_secret' }, anew.secret)) +
  (await rewrapColumn(db, { table: 'webhook_endpoints', column: 'sealed_previous' }, anew.secret)) +
  (await rewrapColumn(db, { table: 'webhook_endpoints', column: 'sealed_older' }, anew.secret))

export type AdminEndpoint = Endpoint & {
  user_email: string | null
  organization_name: string | null
  waiting: number
}

/** A table scan: there are few endpoints. */
export async function findAdminPage(db: Database, query: AdminEndpointQuery) {
  const { limit, offset } = pageBounds(query)
  const text = query.q?.trim() ?? ''
  const matching = sql`
    from webhook_endpoints w join users u on u.id = w.user_id
    left join organizations o on o.id = w.organization_id
    where (${query.status ?? null}::text is null or w.status = ${query.status ?? null})
      and (${text} = '' or strpos(
        lower(concat_ws(' ', w.id, w.origin, u.email, w.user_id, o.name, o.id)), ${lowerText(text)}) > 0)`
  const direction = query.dir === 'Asc' ? sql`asc` : sql`desc`
  const column = query.sort === 'url' ? sql`w.origin` : sql`w.created_at`
  const { rows } = await sql<AdminEndpoint>`
    select w.*, u.email as user_email, o.name as organization_name,
      (select count(*) from webhook_deliveries d
        where d.endpoint_id = w.id and d.status = 'waiting') as waiting
    ${matching} order by ${column} ${direction}, w.id ${direction} limit ${limit} offset ${offset}
  `.execute(db)
  const countResult = await sql<{ total: number }>`select count(*) as total ${matching}`.execute(db)
  return { rows, total: countResult.rows[0]?.total ?? 0 }
}

export async function findAdminEndpoint(
  db: Database,
  id: string,
): Promise<AdminEndpoint | undefined> {
  const { rows } = await sql<AdminEndpoint>`
    select w.*, u.email as user_email, o.name as organization_name,
      (select count(*) from webhook_deliveries d
        where d.endpoint_id = w.id and d.status = 'waiting') as waiting
    from webhook_endpoints w join users u on u.id = w.user_id
    left join organizations o on o.id = w.organization_id
    where w.id = ${id}`.execute(db)
  return rows[0]
}
