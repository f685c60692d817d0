import type { Insertable, Kysely } from 'kysely'
import { pageBounds } from '../../platform/http/paging.ts'
import type { Database, Tables } from '../../tables.ts'
import type { AuditQuery } from './schema.ts'

export const insert = (db: Kysely<Tables>, entry: Insertable<Tables['audit_entries']>) =>
  db.insertInto('audit_entries').values(entry).execute()

export async function findPage(db: Database, filter: AuditQuery) {
  const { limit, offset } = pageBounds(filter)
  let matching = db.selectFrom('audit_entries')
  for (const column of ['event', 'actor_id', 'subject_id'] as const) {
    const wanted = filter[column]
    if (wanted !== undefined) matching = matching.where(column, '=', wanted)
  }
  const [rows, { total }] = await Promise.all([
    matching
      .selectAll()
      .orderBy('id', filter.dir === 'Asc' ? 'asc' : 'desc')
      .limit(limit)
      .offset(offset)
      .execute(),
    matching.select(({ fn }) => fn.countAll<string>().as('total')).executeTakeFirstOrThrow(),
  ])
  return { rows, total: Number(total) }
}
