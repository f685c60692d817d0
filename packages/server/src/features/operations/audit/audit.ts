import { EmojiIdError, parseEmojiId } from '@emojid/core'
import { Type } from 'typebox'
import { bindUseCases } from '../../../platform/bind.ts'
import { invalidRequest, refusal } from '../../../platform/errors.ts'
import { toPage } from '../../../platform/http/api/paging.ts'
import { Nullable, Timestamp } from '../../../platform/http/api/schemas.ts'
import { currentCredential, currentRequestId } from '../../../platform/request-id.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { Database, Transaction } from '../../../tables.ts'
import * as entries from './repository.ts'
import type { AuditQuery } from './routes.ts'
import { type AuditEvent, auditEvents, boundDetails } from './rules.ts'

export const AuditEntry = Type.Object({
  id: Type.String(),
  at: Timestamp,
  event: Type.String(),
  result: Type.String(),
  actor_id: Nullable(Type.String()),
  subject_id: Nullable(Type.String()),
  request_id: Nullable(Type.String()),
  details: Type.Unknown({
    description:
      'Facts of the event. `too_long` is the length of details that a list leaves out; a request with limit=1 has them',
  }),
  actor_email: Nullable(Type.String({ description: 'The current address of the account' })),
  subject_email: Nullable(Type.String({ description: 'The current address of the account' })),
})

export type Deps = { db: Database; now: () => Date }

export type Audit = ReturnType<typeof createAudit>

/** The audit log. Entries are written in the transaction of the event. */
export function createAudit(deps: Deps) {
  return bindUseCases(deps, { writeEntry, writeEntries, listEntries })
}

type Note = {
  result?: 'done' | 'refused'
  actor_id?: string | null
  subject_id?: string | null
  details?: Record<string, unknown>
}

async function writeEntry(
  { now }: Deps,
  trx: Database,
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
async function writeEntries(
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

async function listEntries({ db }: Deps, query: AuditQuery) {
  const filter = readFilter(query)
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

/** Refuses a filter that no entry can match: an empty list would say that nothing happened. */
function readFilter(query: AuditQuery): AuditQuery {
  const { event, person, emoji_id } = query
  if (event !== undefined && !auditEvents.some((name) => name === event)) throw unknownEvent(event)
  if (person !== undefined && !isPerson(person)) {
    throw invalidRequest('person must be an account id or a full email address.')
  }
  return emoji_id === undefined ? query : { ...query, emoji_id: readId(emoji_id) }
}

const unknownEvent = (name: string) =>
  refusal('invalid', 'unknown_event', `There is no audit event “${name}”.`)

const isPerson = (text: string) => text.includes('@') || isUuid(text.trim())

function readId(text: string): string {
  try {
    return parseEmojiId(text)
  } catch (error) {
    if (error instanceof EmojiIdError) throw invalidRequest(error.message)
    throw error
  }
}
