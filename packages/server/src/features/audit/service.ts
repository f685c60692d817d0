import { toPage } from '../../platform/http/paging.ts'
import { currentCredential, currentRequestId } from '../../platform/request-id.ts'
import type { Database, Transaction } from '../../tables.ts'
import * as entries from './repository.ts'
import type { AuditEvent, AuditQuery } from './schema.ts'

export type Audit = ReturnType<typeof createAudit>

type Note = {
  result?: 'done' | 'refused'
  actor_id?: string | null
  subject_id?: string | null
  details?: Record<string, unknown>
}

/** Writes down what somebody will want to know later, together with what happened. */
export function createAudit({ db, now }: { db: Database; now: () => Date }) {
  return {
    async note(trx: Transaction | Database, event: AuditEvent, note: Note): Promise<void> {
      const { result = 'done', actor_id = null, subject_id = actor_id, details = {} } = note
      await entries.insert(trx, {
        ...{ event, result, actor_id, subject_id, at: now() },
        request_id: currentRequestId() ?? null,
        details: JSON.stringify({ ...details, ...currentCredential() }),
      })
    },

    /** What one request did to many. */
    async noteMany(
      trx: Transaction,
      event: AuditEvent,
      actor_id: string,
      notes: readonly Required<Pick<Note, 'subject_id' | 'details'>>[],
    ): Promise<void> {
      if (notes.length === 0) return
      const many = { event, actor_id, at: now(), request_id: currentRequestId() ?? null }
      const by = currentCredential()
      const told = notes.map((note) => ({ ...note, details: { ...note.details, ...by } }))
      await entries.insertMany(trx, many, told)
    },

    async list(filter: AuditQuery) {
      const { rows, total } = await entries.findPage(db, filter)
      const people = rows.flatMap(({ actor_id, subject_id }) => [actor_id, subject_id])
      const ids = [...new Set(people.filter((id) => id !== null))]
      const found = ids.length === 0 ? [] : await entries.findEmails(db, ids)
      const emails = new Map(found.map(({ id, email }) => [id, email]))
      const shown = rows.map((row) => ({
        ...row,
        actor_email: emails.get(row.actor_id ?? '') ?? null,
        subject_email: emails.get(row.subject_id ?? '') ?? null,
      }))
      return toPage(shown, total, filter)
    },
  }
}
