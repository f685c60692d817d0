import { createHash } from 'node:crypto'
import { type ColumnType, type Generated, type Insertable, sql } from 'kysely'
import type { KeyedReader } from '../../../platform/database/replica/keyed-reader.ts'
import { type PageRequest, pageBounds } from '../../../platform/http/api/paging.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import { unknownViews } from '../stats/stats.ts'

/** A past state of the records of an id. */
export type RecordHistoryTable = {
  emoji_id: string
  version: number
  changed_at: Date
  actor_id: string | null
  /** The author acted for the owner: no emailed link undoes it. */
  by_operator: ColumnType<boolean, boolean | undefined, never>
  /** Null for an old state, of which only the hash is kept. */
  records: ColumnType<unknown, string, null>
  records_sha256: ColumnType<string | null, string | undefined, never>
  linked: ColumnType<Links, string, string>
  /** The version whose addresses this state restored. */
  undoes: number | null
}

/** Store entry keys by record hash. */
type Links = Record<string, string>

/** All records of an id, in the order of their owner, as the JSON text that lookups return. */
export type RecordSetsTable = {
  emoji_id: string
  records: ColumnType<unknown, string, string>
  linked: ColumnType<Links, string, string>
  version: Generated<number>
  changed_at: Generated<Date>
  merkle_root: string | null
  /** The key that signed, and its signature (R and s). */
  signer: string | null
  nonce: string | null
  signature: string | null
}

export type RecordSetRow = {
  emoji_id: string
  records: string
  views: number
  changes_at: number | null
  suspended: boolean
}

/** Loads registration, records and daily views of many ids in one statement. */
export const findRecordSets = (reader: KeyedReader) =>
  reader.prepare<RecordSetRow>(
    'find-record-sets',
    `select e.emoji_id, coalesce(r.records::text, '[]') as records,
            e.suspended_at is not null as suspended,
            (extract(epoch from w.changes_at) * 1000)::bigint as changes_at,
            (select coalesce(sum(c.count), 0)::bigint from lookup_counts c
             where c.emoji_id = e.emoji_id and c.day >= $2::date and c.day < $3::date) as views
     from emoji_ids e left join record_sets r using (emoji_id)
     left join waiting_changes w using (emoji_id)
     where e.emoji_id = any ($1::text[])`,
    ({ emoji_id }) => emoji_id,
  )

/** The same without views, for when the counts cannot be read. */
export const findUncountedSets = (reader: KeyedReader) =>
  reader.prepare<RecordSetRow>(
    'find-uncounted-record-sets',
    `select e.emoji_id, coalesce(r.records::text, '[]') as records,
            e.suspended_at is not null as suspended,
            (extract(epoch from w.changes_at) * 1000)::bigint as changes_at,
            ${unknownViews}::bigint as views
     from emoji_ids e left join record_sets r using (emoji_id)
     left join waiting_changes w using (emoji_id)
     where e.emoji_id = any ($1::text[])`,
    ({ emoji_id }) => emoji_id,
  )

type NewRecordSet = Omit<Insertable<Tables['record_sets']>, 'version' | 'changed_at'>

type Occasion = {
  changed_at: Date
  actor_id: string | null
  by_operator: boolean
  undoes: number | null
}

/**
 * Replaces all records of an id, raises its version and adds the state to its history. Returns the
 * version, and the time of the newest state that may be reduced.
 */
export async function saveRecordSet(
  trx: Transaction,
  set: NewRecordSet,
  occasion: Occasion,
  fullStates: number,
) {
  const { emoji_id, records, linked, ...signed } = set
  const { changed_at } = occasion
  const state = { emoji_id, records, linked, records_sha256: sha256Of(records), ...occasion }
  return (
    trx
      .with('saved', (db) =>
        db
          .insertInto('record_sets')
          .values({ ...set, changed_at })
          .onConflict((conflict) =>
            conflict.column('emoji_id').doUpdateSet({
              records,
              linked,
              changed_at,
              ...signed,
              version: sql`nextval('record_versions')`,
            }),
          )
          .returning('version'),
      )
      .insertInto('record_history')
      .values(({ selectFrom }) => ({
        ...state,
        version: selectFrom('saved').select('version').$asScalar().$notNull(),
      }))
      // The statement does not see the state that it adds.
      .returning(['version', reducible(emoji_id, fullStates - 1).as('reducible_at')])
      .executeTakeFirstOrThrow()
  )
}

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The time of the newest state older than this many, unless it is reduced to its hash. */
const reducible = (id: string, fullStates: number) => sql<Date | null>`(
  select changed_at from (
    select * from record_history where emoji_id = ${id}
    order by version desc offset ${fullStates} limit 1) as state
  where records is not null and records_sha256 is not null)`

/** The time of the newest state that may be reduced to its hash; null if there is none. */
export async function findReducible(trx: Transaction, id: string, fullStates: number) {
  const found = await trx
    .selectNoFrom(reducible(id, fullStates).as('reducible_at'))
    .executeTakeFirst()
  return found?.reducible_at ?? null
}

/** Reduces the states that the newest ones followed before this time; each keeps its hash. */
export const reduceStates = (trx: Transaction, id: string, fullStates: number, before: Date) =>
  trx
    .updateTable('record_history')
    .set({ records: null, linked: '{}' })
    .where('emoji_id', '=', id)
    .where('records', 'is not', null)
    .where('records_sha256', 'is not', null)
    .where('changed_at', '<', before)
    .where('version', '<=', (states) =>
      states
        .selectFrom('record_history')
        .select('version')
        .where('emoji_id', '=', id)
        .orderBy('version', 'desc')
        .offset(fullStates)
        .limit(1),
    )
    .execute()

type FirstSet = Pick<NewRecordSet, 'emoji_id' | 'records' | 'linked' | 'merkle_root'> &
  Pick<NewRecordSet, 'signer' | 'nonce' | 'signature'>

/** Inserts the first records of many ids; returns their versions. */
export const insertRecordSets = (
  trx: Transaction,
  sets: readonly FirstSet[],
  { changed_at, actor_id }: Pick<Occasion, 'changed_at' | 'actor_id'>,
) =>
  sql<{ emoji_id: string; version: number }>`
    with made as (
      insert into record_sets
        (emoji_id, records, linked, merkle_root, signer, nonce, signature, changed_at)
      select emoji_id, records::json, linked::jsonb, merkle_root, signer, nonce, signature, ${changed_at}
      from jsonb_to_recordset(${JSON.stringify(sets)}::jsonb) as one (emoji_id text, records text,
        linked text, merkle_root text, signer text, nonce text, signature text)
      returning emoji_id, version, records, linked)
    insert into record_history
      (emoji_id, version, changed_at, actor_id, records, linked, records_sha256)
    select emoji_id, version, ${changed_at}, ${actor_id}::uuid, records, linked,
           encode(sha256(convert_to(records::text, 'UTF8')), 'hex') from made
    returning emoji_id, version`
    .execute(trx)
    .then(({ rows }) => rows)

export const findRecordSet = (db: Database, id: string) =>
  db.selectFrom('record_sets').selectAll().where('emoji_id', '=', id).executeTakeFirst()

export const findRecordSetsOf = (trx: Transaction, ids: readonly string[]) =>
  trx
    .selectFrom('record_sets')
    .select(['emoji_id', 'records', 'linked'])
    .where(sql<boolean>`emoji_id = any (${ids}::text[])`)
    .execute()

/** A consistent snapshot of an id, its records and their signature. */
export const findSignedSet = (db: Database, id: string) =>
  db
    .selectFrom('emoji_ids as id')
    .leftJoin('record_sets as set', 'set.emoji_id', 'id.emoji_id')
    .select(['id.pubkey', 'id.suspended_at', 'set.records', 'set.changed_at', 'set.merkle_root'])
    .select(['set.signer', 'set.nonce', 'set.signature'])
    // Both come from one sequence: the number also grows when an id is registered again.
    .select(({ fn }) => fn.coalesce('set.version', 'id.version').as('version'))
    .where('id.emoji_id', '=', id)
    .executeTakeFirst()

export const findHistory = (db: Database, id: string, limit: number) =>
  db
    .selectFrom('record_history')
    .select(['version', 'changed_at'])
    .where('emoji_id', '=', id)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()

/** One page of versions, newest first, with the bytes of their records; and the total. */
export async function findVersions(db: Database, id: string, request: PageRequest) {
  const { limit, offset } = pageBounds(request)
  const states = db.selectFrom('record_history').where('emoji_id', '=', id)
  const [versions, { total }] = await Promise.all([
    db
      // A subquery: otherwise PostgreSQL also reads the records of the skipped rows.
      .selectFrom(
        states
          .select(['version', 'changed_at', 'actor_id', 'undoes', 'records', 'records_sha256'])
          .orderBy('version', 'desc')
          .offset(offset)
          // The extra row is the state that the last change of the page replaced.
          .limit(limit + 1)
          .as('page'),
      )
      .select(['version', 'changed_at', 'actor_id', 'undoes', 'records_sha256'])
      .select(sql<number | null>`octet_length(records::text)`.as('bytes'))
      .orderBy('version', 'desc')
      .execute(),
    states.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { versions, total: Number(total) }
}

/** The records of these versions as JSON texts. */
export const findRecordTexts = (db: Database, id: string, versions: readonly number[]) =>
  db
    .selectFrom('record_history')
    .select(['version', sql<string>`records::text`.as('records')])
    .where('emoji_id', '=', id)
    .where('records', 'is not', null)
    .where(sql<boolean>`version = any (${versions}::bigint[])`)
    .execute()

/** The state of this version and its predecessor, if any. */
export const findStates = (trx: Transaction, id: string, version: number) =>
  trx
    .selectFrom('record_history')
    .select(['version', 'records', 'linked'])
    .where('emoji_id', '=', id)
    .where('version', '<=', version)
    .orderBy('version', 'desc')
    .limit(2)
    .execute()

/** This version and earlier ones that were undone after it. */
export const findUndone = (trx: Transaction, id: string, version: number) =>
  trx
    .selectFrom('record_history')
    .select('undoes')
    .where('emoji_id', '=', id)
    .where('undoes', '<=', version)
    .where('version', '>', version)
    .execute()

/** The versions from this one on that operators made. */
export const findByOperators = (trx: Transaction, id: string, version: number) =>
  trx
    .selectFrom('record_history')
    .select('version')
    .where('emoji_id', '=', id)
    .where('version', '>=', version)
    .where('by_operator', '=', true)
    .execute()

/** Deletes earlier states: they belong to the former owner. */
export const removeStatesBefore = (trx: Transaction, id: string, version: number) =>
  trx
    .deleteFrom('record_history')
    .where('emoji_id', '=', id)
    .where('version', '<', version)
    .execute()
