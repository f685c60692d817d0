import { type GeneratedAlways, type Insertable, type JSONColumnType, sql } from 'kysely'
import { lowerText } from '../../../platform/database/contains-pattern.ts'
import { readPage } from '../../../platform/database/page.ts'
import { endOf, startOf } from '../../../platform/time.ts'
import type { Database, Tables } from '../../../tables.ts'
import type { AuditQuery } from './routes.ts'
import { longestDetails } from './rules.ts'

/** An audited event. The table is append-only. */
export type AuditEntriesTable = {
  id: GeneratedAlways<string>
  at: Date
  event: string
  result: string
  actor_id: string | null
  subject_id: string | null
  request_id: string | null
  details: JSONColumnType<Record<string, unknown>>
}

export const insert = (db: Database, entry: Insertable<Tables['audit_entries']>) =>
  db.insertInto('audit_entries').values(entry).execute()

type SharedFields = { event: string; actor_id: string | null; at: Date; request_id: string | null }
type EntryFields = { subject_id: string | null; details: Record<string, unknown> }

/** Sends all entries as one JSON parameter, which is faster than a list of values. */
export const insertMany = (db: Database, many: SharedFields, entries: readonly EntryFields[]) =>
  sql`insert into audit_entries (event, result, actor_id, at, request_id, subject_id, details)
    select ${many.event}, 'done', ${many.actor_id}::uuid, ${many.at}, ${many.request_id}, subject_id, details
    from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as one (subject_id uuid, details jsonb)`.execute(
    db,
  )

/**
 * Entries from before the limit can be hundreds of kilobytes long. A list shows only the length of
 * such details; a page with a limit of 1 shows them whole. The size on disk spares most the cast.
 */
const shortened = sql<Record<string, unknown>>`
  case when pg_column_size(details) > 500 and octet_length(details::text) > ${sql.lit(2 * longestDetails)}
  then jsonb_build_object('emoji_id', details -> 'emoji_id', 'version', details -> 'version',
    'too_long', octet_length(details::text))
  else details end`.as('details')

export function findPage(db: Database, filter: AuditQuery) {
  const { person, emoji_id, from, to } = filter
  let matchingQuery = db.selectFrom((all) =>
    all
      .selectFrom('audit_entries')
      .select(['id', 'at', 'event', 'result', 'actor_id', 'subject_id', 'request_id'])
      .select(filter.limit === 1 ? 'details' : shortened)
      .as('audit_entries'),
  )
  for (const column of ['event', 'actor_id', 'subject_id'] as const) {
    const value = filter[column]
    if (value !== undefined) matchingQuery = matchingQuery.where(column, '=', value)
  }
  if (person !== undefined) matchingQuery = matchingQuery.where(concerns(person.trim()))
  if (emoji_id !== undefined) matchingQuery = matchingQuery.where(names(emoji_id))
  if (from !== undefined) matchingQuery = matchingQuery.where('at', '>=', startOf(from))
  if (to !== undefined) matchingQuery = matchingQuery.where('at', '<', endOf(to))
  return readPage(db, matchingQuery, filter)
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const concerns = (person: string) => {
  const id = uuid.test(person)
    ? sql`${person}::uuid`
    : sql`(select id from users where lower(email) = ${lowerText(person)})`
  return sql<boolean>`(actor_id = ${id} or subject_id = ${id})`
}

/** Each part has its own index. An array, because PostgreSQL would merge `in` with the whole table. */
const names = (emoji_id: string) => sql<boolean>`id = any (array(
  select id from audit_entries where details ->> 'emoji_id' = ${emoji_id}
  union all
  select id from audit_entries where details -> 'emoji_ids' ? ${emoji_id}))`

/** Entries outlive accounts: a deleted account has no address. */
export const findEmails = (db: Database, user_ids: readonly string[]) =>
  db.selectFrom('users').select(['id', 'email']).where('id', 'in', user_ids).execute()
