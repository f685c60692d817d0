import {
  type ColumnType,
  type GeneratedAlways,
  type InsertObject,
  type Selectable,
  sql,
} from 'kysely'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { Position, Reader, StoredCounts } from './rules.ts'

/** Something that happened to an id, an order or a transfer. */
export type EventsTable = {
  /** The order of insertion. */
  id: GeneratedAlways<number>
  /** The order of reading; null until the sequencer saw the commit. */
  number: ColumnType<number | null, never, never>
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
  /** Cluster, timeline and table; another value begins a new epoch. */
  place: string
  last_number: number
  /** The last number that was deleted after its retention. */
  purged_number: number
}

export type EventRow = Omit<Selectable<EventsTable>, 'id' | 'number'> & { number: number }

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

/**
 * Names this database: a restored or promoted copy has another cluster, timeline or table. Read
 * access to the functions is public.
 */
const currentPlace = sql<string>`
  (select system_identifier from pg_control_system()) || '-' ||
  left(pg_walfile_name(pg_current_wal_lsn()), 8) || '-' || 'event_sequence'::regclass::oid`

/** Locks the sequence, so that one process at a time gives numbers. */
export async function lockSequence(trx: Transaction) {
  return trx
    .selectFrom('event_sequence')
    .select(['epoch', 'place', 'last_number', currentPlace.as('current_place')])
    .forUpdate()
    .executeTakeFirstOrThrow()
}

export async function beginEpoch(trx: Transaction, epoch: string, place: string): Promise<void> {
  await trx.updateTable('event_sequence').set({ epoch, place }).execute()
}

/**
 * Numbers committed events in the order of insertion; returns how many. A statement of its own after
 * the lock: its snapshot contains everything that the previous sequencer committed.
 */
export async function numberEvents(
  trx: Transaction,
  last_number: number,
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update events set number = ${last_number} + pending.place
    from (
      select id, row_number() over (order by id) as place
      from (select id from events where number is null order by id limit ${limit}) as oldest
    ) as pending
    where events.id = pending.id`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** The notification wakes the readers of every process after the commit. */
export async function setLastNumber(trx: Transaction, last_number: number): Promise<void> {
  await trx.updateTable('event_sequence').set({ last_number }).execute()
  await sql`select pg_notify('events_numbered', '')`.execute(trx)
}

export async function readPosition(db: Database): Promise<Position> {
  return db
    .selectFrom('event_sequence')
    .select(['epoch', 'last_number', 'purged_number'])
    .executeTakeFirstOrThrow()
}

export type EventFilter = {
  /** Exclusive. */
  after: number
  /** Inclusive. */
  until: number
  limit: number
  types?: readonly string[] | undefined
  emoji_ids?: readonly string[] | undefined
  /** Public events and those of these accounts and organizations; absent: all events. */
  reader?: Reader | undefined
}

/** Events by number. The caller bounds the work with `until`, which limits the scanned rows. */
export async function findEvents(db: Database, filter: EventFilter): Promise<EventRow[]> {
  const { after, until, limit, types, emoji_ids, reader } = filter
  let query = db
    .selectFrom('events')
    .select(['event_id', 'type', 'emoji_id', 'data', 'user_ids', 'organization_ids', 'created_at'])
    .select(sql<number>`number`.as('number'))
    .where('number', '>', after)
    .where('number', '<=', until)
    .orderBy('number')
    .limit(limit)
  if (types) query = query.where(sql<boolean>`type = any (${types}::text[])`)
  if (emoji_ids) query = query.where(sql<boolean>`emoji_id = any (${emoji_ids}::text[])`)
  if (reader) {
    query = query.where(
      sql<boolean>`(type like 'emoji\\_id.%'
        or (user_ids && ${reader.user_ids}::uuid[] and (type not like 'transfer.%' or exists (
          select from users u where u.id = any (${reader.user_ids}::uuid[])
            and (u.email is null or u.email_verified_at is not null))))
        or organization_ids && ${reader.organization_ids}::uuid[])`,
    )
  }
  return query.execute()
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
  await trx.updateTable('event_sequence').set({ purged_number: until }).execute()
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
