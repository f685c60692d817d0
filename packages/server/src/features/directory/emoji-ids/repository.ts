import type { EmojiId } from '@emojid/core'
import {
  type ColumnType,
  type Generated,
  type GeneratedAlways,
  type Insertable,
  type RawBuilder,
  sql,
} from 'kysely'
import { type PageRequest, pageBounds } from '../../../platform/http/api/paging.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { OwnedId, StatusRow } from './rules.ts'

/** An id that a checkout holds for its buyer. */
export type HoldsTable = {
  emoji_id: string
  user_id: string
  order_id: string
  expires_at: Date
}

/** An id that has no owner and cannot be bought for now. */
export type ReservationsTable = {
  emoji_id: string
  reason: 'cooling' | 'lootbox'
  lootbox_id: string | null
  /** Null: until it is lifted. */
  until: Date | null
}

/** How an id came into the directory. */
export type IdOrigin = 'Purchase' | 'LootBox' | 'Grant'

/** An id or a pattern of ids that is not for sale. */
export type ReservedIdsTable = {
  /** In a pattern, * stands for any number of emojis. */
  pattern: string
  has_wildcard: GeneratedAlways<boolean>
  reason: string
  reserved_by: string | null
  reserved_at: Date
}

/** A registered id. Its key is the canonical format. */
export type EmojiIdsTable = {
  emoji_id: string
  display_format: string
  generation: number
  token_id: number | null
  minted: Generated<boolean>
  /** The account that holds the token, as the chain was last reported. */
  token_account: Generated<string | null>
  /** The key that owns the id. */
  pubkey: string | null
  blocked_until: Date | null
  /** When the mint signature expires. */
  signed_until: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** When the owner bought it; null if it was granted. */
  bought_at: ColumnType<Date | null, Date | null | undefined, never>
  /** The order it was bought with, directly or in a lootbox. */
  order_id: ColumnType<string | null, string | null | undefined, never>
  /** Since when the payment for it is disputed. */
  frozen_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  origin: ColumnType<IdOrigin, IdOrigin | undefined, never>
  /** Since when an operator has suspended it. */
  suspended_at: ColumnType<Date | null, undefined, Date | null>
  suspension_reason: ColumnType<string | null, undefined, string | null>
  /** Suspended because the account of its owner was deactivated. */
  suspended_with_owner: ColumnType<boolean, undefined, boolean>
  /** The person with whose account it was suspended. */
  suspended_with_user: ColumnType<string | null, undefined, string | null>
  /** The operator who suspended it. */
  suspended_by: ColumnType<string | null, undefined, string | null>
  version: Generated<number>
  created_at: ColumnType<Date, Date | undefined, never>
  updated_at: ColumnType<Date, Date | undefined, Date>
}

/** Registers ids; returns those that were not owned. */
export const insert = (trx: Transaction, rows: readonly Insertable<Tables['emoji_ids']>[]) =>
  trx
    .insertInto('emoji_ids')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['emoji_id', 'version'])
    .execute()

const withOwner = (db: Database) =>
  db
    .selectFrom('emoji_ids as id')
    .leftJoin('keys as key', 'key.pubkey', 'id.pubkey')
    .selectAll('id')
    .select(['key.user_id', 'key.organization_id'])

export const find = (db: Database, id: string) =>
  withOwner(db).where('id.emoji_id', '=', id).executeTakeFirst()

/**
 * Locks the id and everything behind it. The owner is read by a subquery: a joined key would be
 * that of the owner before the wait for the lock.
 */
export const findToChange = (trx: Transaction, id: string) =>
  trx
    .selectFrom('emoji_ids as id')
    .selectAll('id')
    .select((eb) => [
      eb
        .selectFrom('keys')
        .select('user_id')
        .whereRef('keys.pubkey', '=', 'id.pubkey')
        .as('user_id'),
      eb
        .selectFrom('keys')
        .select('organization_id')
        .whereRef('keys.pubkey', '=', 'id.pubkey')
        .as('organization_id'),
    ])
    .where('id.emoji_id', '=', id)
    .forUpdate('id')
    .executeTakeFirst()

/** Locks many ids in one order, so that concurrent requests do not deadlock. */
export const findManyToChange = (trx: Transaction, ids: readonly string[]) =>
  sql<OwnedId>`
    select id.*,
      (select user_id from keys where keys.pubkey = id.pubkey) as user_id,
      (select organization_id from keys where keys.pubkey = id.pubkey) as organization_id
    from emoji_ids id where emoji_id = any (${ids}::text[])
    order by emoji_id for update of id`
    .execute(trx)
    .then(({ rows }) => rows)

/** Locks all ids that were bought with an order. */
export const findOfOrderToChange = (trx: Transaction, order_id: string) =>
  sql<OwnedId>`
    select id.*,
      (select user_id from keys where keys.pubkey = id.pubkey) as user_id,
      (select organization_id from keys where keys.pubkey = id.pubkey) as organization_id
    from emoji_ids id where order_id = ${order_id}
    order by emoji_id for update of id`
    .execute(trx)
    .then(({ rows }) => rows)

export const findOfOrder = (db: Database, order_id: string) =>
  withOwner(db).where('id.order_id', '=', order_id).orderBy('id.emoji_id').execute()

export async function setFrozen(trx: Transaction, ids: readonly string[], frozen_at: Date | null) {
  if (ids.length === 0) return
  await trx.updateTable('emoji_ids').set({ frozen_at }).where('emoji_id', 'in', ids).execute()
}

export type Suspension = {
  suspended_at: Date | null
  suspension_reason: string | null
  suspended_with_owner: boolean
  /** The person with whose account they are suspended. */
  suspended_with_user: string | null
  /** The operator who suspended them. */
  suspended_by: string | null
}

export async function setSuspension(
  trx: Transaction,
  ids: readonly string[],
  suspension: Suspension,
) {
  await trx
    .updateTable('emoji_ids')
    .set(suspension)
    .where(sql<boolean>`emoji_id = any (${ids}::text[])`)
    .execute()
}

/** Locks the ids of a user and of organizations in one order, so that requests do not deadlock. */
const lockOfOwners =
  (condition: RawBuilder<boolean>) =>
  async (trx: Transaction, user_id: string, organization_ids: readonly string[]) => {
    const { rows } = await sql<OwnedId>`
      select id.*,
        (select user_id from keys where keys.pubkey = id.pubkey) as user_id,
        (select organization_id from keys where keys.pubkey = id.pubkey) as organization_id
      from emoji_ids id where ${condition} and pubkey in (
        select pubkey from keys where user_id = ${user_id}
        union all
        select pubkey from keys where organization_id = any (${organization_ids}::uuid[]))
      order by emoji_id for update of id`.execute(trx)
    return rows
  }

export const findOfOwnersToChange = lockOfOwners(sql`true`)

/** Those that were suspended with an account. */
export const findSuspendedWithToChange = lockOfOwners(sql`suspended_with_user is not null`)

export const findOf = (db: Database, owner: { user_id: string } | { organization_id: string }) =>
  withOwner(db)
    .where(({ eb }) =>
      'user_id' in owner
        ? eb('key.user_id', '=', owner.user_id)
        : eb('key.organization_id', '=', owner.organization_id),
    )
    .orderBy('id.created_at')
    .orderBy('id.emoji_id')
    .execute()

export const findOfUsers = (db: Database, user_ids: readonly string[]) =>
  db
    .selectFrom('emoji_ids as id')
    .innerJoin('keys as key', 'key.pubkey', 'id.pubkey')
    .select(['id.display_format', 'key.user_id', 'id.suspended_at'])
    .where('key.user_id', 'in', user_ids)
    .orderBy('id.created_at')
    .execute()

export const findOwners = (db: Database, ids: readonly string[]) =>
  withOwner(db).where('id.emoji_id', 'in', ids).execute()

/** A condition: the reserved list has the id, exactly or by a pattern. */
const isOnList = (emoji_id: string) => sql<boolean>`(
  exists (select from reserved_ids where pattern = ${sql.ref(emoji_id)})
  or exists (select from reserved_ids where has_wildcard
    and ${sql.ref(emoji_id)} like replace(pattern, '*', '%')))`

/** Those ids that the reserved list has. */
export async function findOnList(db: Database, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ emoji_id: string }>`
    select wanted.emoji_id from unnest(${ids}::text[]) as wanted (emoji_id)
    where ${isOnList('wanted.emoji_id')}`.execute(db)
  return rows.map(({ emoji_id }) => emoji_id)
}

/**
 * Owners and holds in one statement, because every search runs it. The ids are one array parameter:
 * parsing a long list takes longer than the query.
 */
export async function findStatuses(
  db: Database,
  ids: readonly string[],
  user_id: string | undefined,
  at: Date,
): Promise<StatusRow[]> {
  const { rows } = await sql<StatusRow>`
    select emoji_id, 'owned' as kind, minted, generation, origin
    from emoji_ids where emoji_id = any (${ids}::text[])
    union all
    select emoji_id, 'reserved', false, 0, null
    from reservations where emoji_id = any (${ids}::text[]) and (until is null or until > ${at})
    union all
    select wanted.emoji_id, 'reserved', false, 0, null from unnest(${ids}::text[]) as wanted (emoji_id)
    where ${isOnList('wanted.emoji_id')}
    union all
    select emoji_id, 'held', false, 0, null
    from holds where emoji_id = any (${ids}::text[]) and expires_at > ${at}
      and user_id is distinct from ${user_id ?? null}::uuid
  `.execute(db)
  return rows
}

/** Holds ids for an order, sorted against deadlocks; returns those that no other order holds. */
export async function hold(
  trx: Transaction,
  ids: readonly string[],
  { user_id, order_id, expires_at }: Omit<HoldsTable, 'emoji_id'>,
  at: Date,
): Promise<string[]> {
  const { rows } = await sql<{ emoji_id: string }>`
    insert into holds (emoji_id, user_id, order_id, expires_at)
    select emoji_id, ${user_id}::uuid, ${order_id}::uuid, ${expires_at}::timestamptz
    from unnest(${ids.toSorted()}::text[]) with ordinality as one (emoji_id, place) order by place
    on conflict (emoji_id) do update
      set user_id = excluded.user_id, order_id = excluded.order_id, expires_at = excluded.expires_at
      where holds.order_id = excluded.order_id or holds.expires_at <= ${at}
    returning emoji_id`.execute(trx)
  return rows.map(({ emoji_id }) => emoji_id)
}

/** Locks the id against holds until the transaction ends; returns false if it is held. */
export async function holdBriefly(trx: Transaction, emoji_id: string, user_id: string, at: Date) {
  const holder = { user_id, order_id: user_id, expires_at: new Date(0) }
  return (await hold(trx, [emoji_id], holder, at)).length > 0
}

type NewId = { emoji_id: string; display_format: string; generation: number; pubkey: string }

/** Registers many ids at once; returns which were registered, and which are held by a checkout. */
export async function insertMany(trx: Transaction, newIds: readonly NewId[], by: string, at: Date) {
  const ids = newIds.map(({ emoji_id }) => emoji_id)
  const holder = { user_id: by, order_id: by, expires_at: new Date(0) }
  const ownIds = new Set(await hold(trx, ids, holder, at))
  const free = newIds.filter(({ emoji_id }) => ownIds.has(emoji_id))
  const { rows: insertedRows } = await sql<{ emoji_id: string }>`
    insert into emoji_ids (emoji_id, display_format, generation, pubkey)
    select emoji_id, display_format, generation, pubkey
    from jsonb_to_recordset(${JSON.stringify(free)}::jsonb)
      as one (emoji_id text, display_format text, generation integer, pubkey text)
    where not exists (
      select from reservations where reservations.emoji_id = one.emoji_id and reason = 'lootbox')
    on conflict do nothing returning emoji_id`.execute(trx)
  await removeHolds(trx, by)
  const buying = ids.filter((emoji_id) => !ownIds.has(emoji_id))
  return { newIds: new Set(insertedRows.map(({ emoji_id }) => emoji_id)), buying: new Set(buying) }
}

export const setHolds = (trx: Transaction, order_id: string, expires_at: Date) =>
  trx.updateTable('holds').set({ expires_at }).where('order_id', '=', order_id).execute()

/** Returns the ids that were held. */
export const removeHolds = (trx: Transaction, order_id: string) =>
  trx.deleteFrom('holds').where('order_id', '=', order_id).returning('emoji_id').execute()

const reserved = (ids: readonly string[], at: Date) => sql<{ emoji_id: string }>`
  select emoji_id from reservations
  where emoji_id = any (${ids}::text[]) and (until is null or until > ${at})
  union
  select wanted.emoji_id from unnest(${ids}::text[]) as wanted (emoji_id)
  where ${isOnList('wanted.emoji_id')}`

export async function isAnyReserved(
  db: Database,
  ids: readonly string[],
  at: Date,
): Promise<boolean> {
  return (await reserved(ids, at).execute(db)).rows.length > 0
}

/** Those ids that are owned or reserved. */
export async function findUnavailable(db: Database, ids: readonly string[], at: Date) {
  const { rows } = await sql<{ emoji_id: string }>`
    select emoji_id from emoji_ids where emoji_id = any (${ids}::text[])
    union ${reserved(ids, at)}`.execute(db)
  return rows.map(({ emoji_id }) => emoji_id as EmojiId)
}

export async function isBoxed(db: Database, emoji_id: string): Promise<boolean> {
  const box = await db
    .selectFrom('reservations')
    .select('lootbox_id')
    .where('emoji_id', '=', emoji_id)
    .where('reason', '=', 'lootbox')
    .executeTakeFirst()
  return box !== undefined
}

/** Moves ids from the holds of a drawing to the reservations of its box. */
export async function box(trx: Transaction, lootbox_id: string, ids: readonly string[]) {
  await trx
    .insertInto('reservations')
    .values(ids.map((emoji_id) => ({ emoji_id, reason: 'lootbox', lootbox_id, until: null })))
    // An expired reservation may still be there.
    .onConflict((conflict) =>
      conflict.column('emoji_id').doUpdateSet({ reason: 'lootbox', lootbox_id, until: null }),
    )
    .execute()
  await removeHolds(trx, lootbox_id)
}

export const unbox = (trx: Transaction, lootbox_id: string) =>
  trx
    .deleteFrom('reservations')
    .where('lootbox_id', '=', lootbox_id)
    .returning('emoji_id')
    .execute()

/** Blocks purchases of the id until then, or longer if it rests longer already. */
export const cool = (trx: Transaction, emoji_id: string, until: Date) =>
  trx
    .insertInto('reservations')
    .values({ emoji_id, reason: 'cooling', lootbox_id: null, until })
    .onConflict((conflict) =>
      conflict.column('emoji_id').doUpdateSet({
        until: sql<Date | null>`case when reservations.until is null then null
          else greatest(reservations.until, excluded.until) end`,
      }),
    )
    .execute()

/** Removes expired reservations, and holds that expired a while ago. */
export async function sweep(db: Database, at: Date, lapsedBefore: Date): Promise<string[]> {
  await db.deleteFrom('holds').where('expires_at', '<', lapsedBefore).execute()
  const endedRows = await db
    .deleteFrom('reservations')
    .where('until', '<=', at)
    .returning('emoji_id')
    .execute()
  return endedRows.map(({ emoji_id }) => emoji_id)
}

export const findNewest = (db: Database, limit: number) =>
  db
    .selectFrom('emoji_ids')
    .select('emoji_id')
    .where('bought_at', 'is not', null)
    .where('suspended_at', 'is', null)
    .orderBy('bought_at', 'desc')
    .limit(limit)
    .execute()

/** The first id of each part of the public ids, in the order of the ids. */
export async function findPartStarts(db: Database, perPart: number, partsAtMost: number) {
  const { rows } = await sql<{ emoji_id: string }>`
    select emoji_id from (
      select emoji_id, row_number() over (order by emoji_id) as place
      from emoji_ids where suspended_at is null and pubkey is not null) as listed
    where place % ${perPart} = 1 order by place limit ${partsAtMost}`.execute(db)
  return rows
}

/** Public ids from one id on. */
export const findFrom = (db: Database, start: string, limit: number) =>
  db
    .selectFrom('emoji_ids')
    .select('emoji_id')
    .where('emoji_id', '>=', start)
    .where('suspended_at', 'is', null)
    .where('pubkey', 'is not', null)
    .orderBy('emoji_id')
    .limit(limit)
    .execute()

/** Versions for events that change no records; they grow with those of records. */
export async function nextVersions(trx: Transaction, count: number): Promise<number[]> {
  const { rows } = await sql<{ version: number }>`
    select nextval('record_versions') as version from generate_series(1, ${count})`.execute(trx)
  return rows.map(({ version }) => version)
}

/** Advances the versions of records and the ids of tokens by `count`; returns the last version. */
export async function skipNumbers(db: Database, count: number): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select setval('token_ids', nextval('token_ids') + ${count}::bigint),
      setval('record_versions', nextval('record_versions') + ${count}::bigint) as version`.execute(
    db,
  )
  return rows[0]?.version ?? 0
}

/** Cascades to records, store entries and history. */
export const remove = (trx: Transaction, id: string) =>
  trx.deleteFrom('emoji_ids').where('emoji_id', '=', id).execute()

export const setDisplay = (trx: Transaction, id: string, display_format: string, at: Date) =>
  trx
    .updateTable('emoji_ids')
    .set({ display_format, updated_at: at })
    .where('emoji_id', '=', id)
    .execute()

type Move = { from: string | null; pubkey: string; blocked_until: Date; display_format: string }

/** Binds an id to another key; returns false if it is not bound to `from` any more. */
export async function move(trx: Transaction, id: string, { from, ...move }: Move, at: Date) {
  const movedRow = await trx
    .updateTable('emoji_ids')
    .set({ ...move, updated_at: at })
    .where('emoji_id', '=', id)
    .where('pubkey', 'is not distinct from', from)
    .returning('emoji_id')
    .executeTakeFirst()
  return movedRow !== undefined
}

/** Assigns the number of the token when it is first needed. */
export const setToken = (
  trx: Transaction,
  id: string,
  change: { signed_until: Date | null; minted?: boolean; token_account?: string | null },
) =>
  trx
    .updateTable('emoji_ids')
    .set({ ...change, token_id: sql<number>`coalesce(token_id, nextval('token_ids'))` })
    .where('emoji_id', '=', id)
    .execute()

export const findByToken = (db: Database, token_id: number) =>
  withOwner(db).where('id.token_id', '=', token_id).executeTakeFirst()

type ReservedRow = Omit<Insertable<Tables['reserved_ids']>, 'has_wildcard'>

/** Adds patterns to the reserved list, or replaces their reasons. */
export async function putReserved(trx: Transaction, rows: readonly ReservedRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into reserved_ids (pattern, reason, reserved_by, reserved_at)
    select pattern, reason, reserved_by, reserved_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as one (pattern text, reason text, reserved_by uuid, reserved_at timestamptz)
    order by pattern
    on conflict (pattern) do update set reason = excluded.reason,
      reserved_by = excluded.reserved_by, reserved_at = excluded.reserved_at`.execute(trx)
}

export const findReservedRows = (trx: Transaction, patterns: readonly string[]) =>
  trx
    .selectFrom('reserved_ids')
    .select(['pattern', 'reason'])
    .where(sql<boolean>`pattern = any (${patterns}::text[])`)
    .execute()

/** The entry of the reserved list that has the id: the exact one, else a pattern. */
export async function findListEntry(db: Database, emoji_id: string) {
  const { rows } = await sql<{ pattern: string; reason: string; reserved_at: Date }>`
    select pattern, reason, reserved_at from reserved_ids
    where pattern = ${emoji_id} or (has_wildcard and ${emoji_id} like replace(pattern, '*', '%'))
    order by has_wildcard, pattern limit 1`.execute(db)
  return rows[0]
}

/** Counts the list. Locks it until the transaction ends, so that its limits hold. */
export async function countReserved(trx: Transaction) {
  await sql`select pg_advisory_xact_lock(hashtextextended('reserved ids', 0))`.execute(trx)
  const { rows } = await sql<{ all: string; wildcards: string }>`
    select count(*) as all, count(*) filter (where has_wildcard) as wildcards
    from reserved_ids`.execute(trx)
  const [{ all, wildcards } = { all: '0', wildcards: '0' }] = rows
  return { all: Number(all), wildcards: Number(wildcards) }
}

export const removeReserved = (trx: Transaction, pattern: string) =>
  trx
    .deleteFrom('reserved_ids')
    .where('pattern', '=', pattern)
    .returning('reason')
    .executeTakeFirst()

export async function findReservedPage(db: Database, query: PageRequest & { q?: string }) {
  const { limit, offset } = pageBounds(query)
  const direction = query.dir === 'Asc' ? 'asc' : 'desc'
  const text = query.q?.trim() ?? ''
  const all = db.selectFrom('reserved_ids')
  const matchingQuery =
    text === ''
      ? all
      : all.where(
          sql<boolean>`(strpos(pattern, ${text}) > 0 or strpos(lower(reason), ${text.toLowerCase()}) > 0)`,
        )
  const [rows, { total }] = await Promise.all([
    matchingQuery
      .select(['pattern', 'reason', 'reserved_by', 'reserved_at'])
      .orderBy(sql.ref(query.sort), direction)
      .orderBy('pattern', direction)
      .limit(limit)
      .offset(offset)
      .execute(),
    matchingQuery.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(total) }
}

/** The list in the order of its patterns, for exports. */
export const findReservedAfter = (db: Database, after: string, limit: number) =>
  db
    .selectFrom('reserved_ids')
    .select(['pattern', 'reason'])
    .where('pattern', '>', after)
    .orderBy('pattern')
    .limit(limit)
    .execute()
