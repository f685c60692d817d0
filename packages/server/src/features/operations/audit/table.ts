import type { GeneratedAlways, JSONColumnType } from 'kysely'

/** One thing that happened. Rows are only ever added. */
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
