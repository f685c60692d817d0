import {
  type ColumnType,
  type GeneratedAlways,
  type InsertObject,
  type RawBuilder,
  type Selectable,
  sql,
} from 'kysely'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { Cursor, Reader, StoredCounts } from './rules.ts'

/** Something that happened to an id, an order or a transfer. */
export type EventsTable = {
  /** The order of insertion. */
  id: GeneratedAlways<number>
  /** The order of reading; null until the sequencer saw the commit. */
  number: ColumnType<number | null, never, never>
  /** Random for each numbered batch; proves that two databases have the same events up to here. */
  number_tag: ColumnType<string | null, never, never>
  event_id: string
  type: string
  emoji_id: string | null
  data: ColumnType<Record<string, unknown>, string, never>
  /** Accounts that are concerned. */
  user_ids: string[]
  /** Organizations that are concerned. */
  organization_ids: string[]
  created_at: ColumnType<Date, Date, never>
}

/** The one row with the state of the sequencer. */
export type EventSequenceTable = {
  only_row: boolean
  epoch: string
  last_number: number
  /** The last number that was deleted after its retention, and its tag. */
  purged_number: number
  purged_tag: string
}

export type EventRow = Omit<Selectable<EventsTable>, 'id' | 'number' | 'number_tag'> & {
  number: number
  number_tag: string
}

/** A list of ids that a client watches. */
export type EventWatchesTable = {
  token_hash: Buffer
  emoji_ids: string[]
  /** The length of the list, or more for a short list. */
  id_count: number
  /** Keyed hashes of the client's network, to limit the stored lists. */
  network_hash: Buffer
  wide_network_hash: Buffer
  expires_at: Date
}

export async function insertEvents(
  trx: Transaction,
  rows: readonly InsertObject<Tables, 'events'>[],
): Promise<void> {
  await trx.insertInto('events').values(rows).execute()
}

/** When the oldest event without a number was recorded. */
export async function findOldestUnnumbered(db: Database): Promise<Date | undefined> {
  const row = await db
    .selectFrom('events')
    .select('created_at')
    .where('number', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at
}

export const hasUnnumbered = async (db: Database): Promise<boolean> =>
  (await findOldestUnnumbered(db)) !== undefined

/** Locks the sequence. Without `wait`: undefined if another process gives numbers now. */
export async function lockSequence(trx: Transaction, wait: boolean): Promise<number | undefined> {
  const query = trx.selectFrom('event_sequence').select('last_number').forUpdate()
  const row = await (wait ? query : query.skipLocked()).executeTakeFirst()
  return row?.last_number
}

export async function updateEpoch(db: Database, epoch: string): Promise<void> {
  await db.updateTable('event_sequence').set({ epoch }).execute()
}

type Batch = { last_number: number; tag: string; limit: number }

/**
 * Numbers committed events in the order of insertion; returns how many. A statement of its own after
 * the lock: its snapshot contains everything that the previous sequencer committed.
 */
export async function numberEvents(
  trx: Transaction,
  { last_number, tag, limit }: Batch,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update events set number = ${last_number} + pending.place, number_tag = ${tag}
    from (
      select id, row_number() over (order by id) as place
      from (select id from events where number is null order by id limit ${limit}) as oldest
    ) as pending
    where events.id = pending.id`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** The notification wakes the readers of every process after the commit, and names the sequencer. */
export async function setLastNumber(
  trx: Transaction,
  last_number: number,
  sequencer: string,
): Promise<void> {
  await trx.updateTable('event_sequence').set({ last_number }).execute()
  await sql`select pg_notify('events_numbered', ${sequencer})`.execute(trx)
}

/** The tag of a number in the sequence `s`; null if the number is purged or not given yet. */
const tagAt = (number: RawBuilder<unknown>) => sql<string | null>`case ${number}
  when s.purged_number then s.purged_tag
  else (select number_tag from events where number = ${number}) end`

/** The state of the feed at a number. */
export type Position = {
  epoch: string
  last_number: number
  /** Null if the number is purged or not given yet. */
  tag: string | null
}

export async function findPosition(db: Database, number: number): Promise<Position> {
  const { rows } = await sql<Position>`
    select s.epoch, s.last_number, ${tagAt(sql`${number}::bigint`)} as tag
    from event_sequence s`.execute(db)
  return rows[0] as Position
}

/** The cursor after the last event with a number. */
export async function findLastCursor(db: Database): Promise<Cursor> {
  const { rows } = await sql<Cursor>`
    select s.epoch, s.last_number as number, ${tagAt(sql`s.last_number`)} as tag
    from event_sequence s`.execute(db)
  return rows[0] as Cursor
}

/** The cursors after these numbers. Purged numbers get one that is refused. */
export async function findCursors(
  db: Database,
  numbers: readonly number[],
): Promise<Map<number, Cursor>> {
  const { rows } = await sql<Cursor>`
    select s.epoch, wanted.number, coalesce(${tagAt(sql`wanted.number`)}, '00000000') as tag
    from event_sequence s, unnest(${numbers}::bigint[]) as wanted (number)`.execute(db)
  return new Map(rows.map((cursor) => [cursor.number, cursor]))
}

export type EventFilter = {
  /** Exclusive. */
  after: number
  /** Limits the scanned rows. */
  scanned: number
  limit: number
  types?: readonly string[] | undefined
  emoji_ids?: readonly string[] | undefined
  /** Public events and those of these accounts and organizations; absent: all events. */
  reader?: Reader | undefined
}

type FoundEvents = Position & {
  events: EventRow[]
  /** The last number that was scanned. */
  until: number
  until_tag: string
}

/**
 * Events by number, with the state that proves them. One statement: a connection can move to another
 * database, and a purge can delete rows, between two.
 */
export async function findEvents(db: Database, filter: EventFilter): Promise<FoundEvents> {
  const { after, scanned, limit, types, emoji_ids, reader } = filter
  const conditions = [sql`number > ${after}::bigint and number <= state.until`]
  if (types) conditions.push(sql`type = any (${types}::text[])`)
  if (emoji_ids) conditions.push(sql`emoji_id = any (${emoji_ids}::text[])`)
  if (reader) {
    conditions.push(sql`(type like 'emoji\\_id.%'
      or (user_ids && ${reader.user_ids}::uuid[] and (type not like 'transfer.%' or exists (
        select from users u where u.id = any (${reader.user_ids}::uuid[])
          and (u.email is null or u.email_verified_at is not null))))
      or organization_ids && ${reader.organization_ids}::uuid[])`)
  }
  const until = sql`least(s.last_number, ${after}::bigint + ${scanned})`
  const { rows } = await sql<Omit<FoundEvents, 'events'> & (EventRow | { number: null })>`
    with state as materialized (
      select s.epoch, s.last_number, ${tagAt(sql`${after}::bigint`)} as tag,
        ${until} as until, ${tagAt(until)} as until_tag
      from event_sequence s
    )
    select state.*, event.* from state left join lateral (
      select number, number_tag, event_id, type, emoji_id, data, user_ids, organization_ids, created_at
      from events where ${sql.join(conditions, sql` and `)} order by number limit ${limit}
    ) as event on true
    order by event.number`.execute(db)
  const [state] = rows as [(typeof rows)[number]]
  const events = rows.filter((row): row is typeof row & EventRow => row.number !== null)
  return { ...state, events }
}

/** Which accounts are members of these organizations now. */
export async function findMembers(
  db: Database,
  organization_ids: readonly string[],
): Promise<{ organization_id: string; user_id: string }[]> {
  if (organization_ids.length === 0) return []
  return db
    .selectFrom('organization_members')
    .select(['organization_id', 'user_id'])
    .where('organization_id', 'in', organization_ids)
    .execute()
}

/** The last number of the oldest events that were all made before `start`. */
export async function findLastExpired(
  db: Database,
  start: Date,
  limit: number,
): Promise<number | undefined> {
  const oldest = await db
    .selectFrom('events')
    .select([sql<number>`number`.as('number'), 'created_at'])
    .where('number', 'is not', null)
    .orderBy('number')
    .limit(limit)
    .execute()
  const firstKept = oldest.findIndex(({ created_at }) => created_at >= start)
  return (firstKept < 0 ? oldest : oldest.slice(0, firstKept)).at(-1)?.number
}

export async function deleteEvents(trx: Transaction, until: number): Promise<void> {
  const purged_tag = sql<string>`(select number_tag from events where number = ${until})`
  await trx.updateTable('event_sequence').set({ purged_number: until, purged_tag }).execute()
  await trx.deleteFrom('events').where('number', '<=', until).execute()
}

type NewWatch = Tables['event_watches']

/** Counts the stored ids until the transaction ends: the lock makes concurrent watches count each other. */
export async function countStoredIds(
  trx: Transaction,
  { network_hash, wide_network_hash }: Pick<NewWatch, 'network_hash' | 'wide_network_hash'>,
  now: Date,
): Promise<StoredCounts> {
  await sql`select pg_advisory_xact_lock(hashtextextended('event watches', 0))`.execute(trx)
  const { rows } = await sql<StoredCounts>`
    select coalesce(sum(id_count), 0)::bigint as total,
      coalesce(sum(id_count) filter (where network_hash = ${network_hash}), 0)::bigint as network,
      coalesce(sum(id_count) filter (where wide_network_hash = ${wide_network_hash}), 0)::bigint
        as wide
    from event_watches where expires_at > ${now}`.execute(trx)
  return rows[0] ?? { network: 0, wide: 0, total: 0 }
}

export const insertWatch = (trx: Transaction, watch: NewWatch) =>
  trx.insertInto('event_watches').values(watch).execute()

/** Extends a watch that has not expired; returns whether there is one. */
export async function extendWatch(
  db: Database,
  token_hash: Buffer,
  expires_at: Date,
  now: Date,
): Promise<boolean> {
  const row = await db
    .updateTable('event_watches')
    .set({ expires_at })
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', now)
    .returning('expires_at')
    .executeTakeFirst()
  return row !== undefined
}

export const findWatch = (db: Database, token_hash: Buffer, now: Date) =>
  db
    .selectFrom('event_watches')
    .select('emoji_ids')
    .where('token_hash', '=', token_hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()

export async function deleteExpiredWatches(db: Database, now: Date): Promise<void> {
  await db.deleteFrom('event_watches').where('expires_at', '<=', now).execute()
}
