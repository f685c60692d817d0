import type { Insertable, Kysely } from 'kysely'
import { readPage } from '../../platform/database/page.ts'
import type { Database, Tables } from '../../tables.ts'
import type { AuditQuery } from './schema.ts'

export const insert = (db: Kysely<Tables>, entry: Insertable<Tables['audit_entries']>) =>
  db.insertInto('audit_entries').values(entry).execute()

export function findPage(db: Database, filter: AuditQuery) {
  let matching = db.selectFrom('audit_entries')
  for (const column of ['event', 'actor_id', 'subject_id'] as const) {
    const wanted = filter[column]
    if (wanted !== undefined) matching = matching.where(column, '=', wanted)
  }
  return readPage(matching, filter)
}
