import { sql } from 'kysely'
import type { Prepare } from '../../platform/database/prepared.ts'
import type { Database } from '../../tables.ts'

export type RecordSetRow = { emoji_id: string; records: string; views: number }

/** What a lookup needs of many ids, in one statement: registration, records, views by day. */
export const findRecordSets = (prepare: Prepare) =>
  prepare<RecordSetRow>(
    'find-record-sets',
    `select e.emoji_id, coalesce(r.records::text, '[]') as records,
            (select coalesce(sum(c.count), 0)::bigint from lookup_counts c
             where c.emoji_id = e.emoji_id and c.day >= $2::date and c.day < $3::date) as views
     from emoji_ids e left join record_sets r using (emoji_id)
     where e.emoji_id = any ($1::text[])`,
  )

/** Replaces all records of an id; its version grows. */
export async function replaceRecordSet(db: Database, id: string, records: string) {
  await db
    .insertInto('record_sets')
    .values({ emoji_id: id, records })
    .onConflict((conflict) =>
      conflict.column('emoji_id').doUpdateSet({
        records,
        version: sql`nextval('record_versions')`,
        changed_at: sql`now()`,
      }),
    )
    .execute()
}
