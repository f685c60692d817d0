import { currentCredential, currentRequestId } from '../../../platform/request-id.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import * as entries from './repository.ts'
import { boundDetails } from './rules.ts'
import type { AuditEvent } from './schema.ts'

type Note = {
  result?: 'done' | 'refused'
  actor_id?: string | null
  subject_id?: string | null
  details?: Record<string, unknown>
}

export async function writeEntry(
  { now }: Deps,
  trx: Transaction | Database,
  event: AuditEvent,
  note: Note,
): Promise<void> {
  const { result = 'done', actor_id = null, subject_id = actor_id, details = {} } = note
  await entries.insert(trx, {
    event,
    result,
    actor_id,
    subject_id,
    at: now(),
    request_id: currentRequestId() ?? null,
    details: JSON.stringify(boundDetails({ ...details, ...currentCredential() })),
  })
}

/** Writes one entry for each subject of a request. */
export async function writeEntries(
  { now }: Deps,
  trx: Transaction,
  event: AuditEvent,
  actor_id: string,
  notes: readonly Required<Pick<Note, 'subject_id' | 'details'>>[],
): Promise<void> {
  if (notes.length === 0) return
  const common = { event, actor_id, at: now(), request_id: currentRequestId() ?? null }
  const credential = currentCredential()
  const withCredential = notes.map((note) => ({
    ...note,
    details: boundDetails({ ...note.details, ...credential }),
  }))
  await entries.insertMany(trx, common, withCredential)
}
