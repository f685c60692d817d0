import { toPage } from '../../../platform/http/paging.ts'
import type { Deps } from './deps.ts'
import * as entries from './repository.ts'
import type { AuditQuery } from './schema.ts'

export async function listEntries({ db }: Deps, filter: AuditQuery) {
  const { rows, total } = await entries.findPage(db, filter)
  const user_ids = rows.flatMap(({ actor_id, subject_id }) => [actor_id, subject_id])
  const ids = [...new Set(user_ids.filter((id) => id !== null))]
  const accounts = ids.length === 0 ? [] : await entries.findEmails(db, ids)
  const emails = new Map(accounts.map(({ id, email }) => [id, email]))
  const views = rows.map((row) => ({
    ...row,
    actor_email: emails.get(row.actor_id ?? '') ?? null,
    subject_email: emails.get(row.subject_id ?? '') ?? null,
  }))
  return toPage(views, total, filter)
}
