import { EmojiIdError, parseEmojiId } from '@emojid/core'
import { invalidRequest, refusal } from '../../../platform/errors.ts'
import { toPage } from '../../../platform/http/paging.ts'
import { isUuid } from '../../../platform/uuid.ts'
import type { Deps } from './deps.ts'
import * as entries from './repository.ts'
import { type AuditQuery, auditEvents } from './schema.ts'

export async function listEntries({ db }: Deps, query: AuditQuery) {
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

const isPerson = (text: string) => text.includes('@') || isUuid(text.trim())

function readId(text: string): string {
  try {
    return parseEmojiId(text)
  } catch (error) {
    if (error instanceof EmojiIdError) throw invalidRequest(error.message)
    throw error
  }
}

const unknownEvent = (name: string) =>
  refusal('invalid', 'unknown_event', `There is no audit event “${name}”.`)
