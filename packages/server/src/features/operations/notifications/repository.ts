import { type Insertable, type Kysely, sql } from 'kysely'
import { rewrapColumn } from '../../../platform/database/rewrap.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { MessagesTable } from './table.ts'

export async function insert(db: Database, message: Insertable<MessagesTable>): Promise<void> {
  await db.insertInto('messages').values(message).execute()
}

/** Counts an attempt and returns the message; undefined if it is finished. */
export function beginAttempt(db: Database, id: string) {
  return db
    .updateTable('messages')
    .set((column) => ({ attempts: column('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .returning(['channel', 'sealed', 'created_at', 'give_up_at'])
    .executeTakeFirst()
}

export async function noteFault(db: Database, id: string, last_error: string): Promise<void> {
  await db
    .updateTable('messages')
    .set({ last_error })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .execute()
}

export const findTemplate = (db: Kysely<Tables>, id: string) =>
  db.selectFrom('messages').select('template').where('id', '=', id).executeTakeFirst()

type End = { status: 'sent' | 'failed'; last_error: string | null; finished_at: Date }

/** Removes recipient and content. */
export async function finish(db: Kysely<Tables>, id: string, end: End): Promise<void> {
  await db
    .updateTable('messages')
    .set({ ...end, sealed: null })
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .execute()
}

/** Fails overdue messages whose job is lost. */
export async function giveUpOverdue(db: Database, now: Date, last_error: string): Promise<void> {
  await db
    .updateTable('messages')
    .set({ status: 'failed', sealed: null, finished_at: now, last_error })
    .where('status', '=', 'queued')
    .where('give_up_at', '<', now)
    .execute()
}

export async function deleteFinishedBefore(db: Database, moment: Date): Promise<void> {
  await db.deleteFrom('messages').where('finished_at', '<', moment).execute()
}

/** Counts one more notice; returns false if the limit is reached. */
export async function countNotice(
  trx: Transaction,
  subject: Buffer,
  { at, begin, atMost }: { at: Date; begin: Date; atMost: number },
): Promise<boolean> {
  const { rows } = await sql`insert into notice_counts as counter (subject, sent, since)
    values (${subject}, 1, ${at})
    on conflict (subject) do update set
      sent = case when counter.since <= ${begin} then 1 else counter.sent + 1 end,
      since = case when counter.since <= ${begin} then ${at} else counter.since end
    where counter.since <= ${begin} or counter.sent < ${atMost}
    returning sent`.execute(trx)
  return rows.length > 0
}

export const uncountNotice = (trx: Transaction, subject: Buffer) =>
  trx
    .updateTable('notice_counts')
    .set((eb) => ({ sent: eb('sent', '-', 1) }))
    .where('subject', '=', subject)
    .execute()

export async function deleteCountsBefore(db: Database, moment: Date): Promise<void> {
  await db.deleteFrom('notice_counts').where('since', '<=', moment).execute()
}

/** Wraps every queued message with the current master key; returns how many. */
export const rewrap = (db: Database, rewrapOne: (id: string, sealedText: string) => string) =>
  rewrapColumn(db, { table: 'messages', column: 'sealed' }, rewrapOne)
