import type { GeneratedAlways, JSONColumnType } from 'kysely'

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
