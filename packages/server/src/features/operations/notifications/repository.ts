import { type ColumnType, type Generated, type Insertable, sql } from 'kysely'
import { rewrapColumn } from '../../../platform/database/rewrap.ts'
import { jobCall } from '../../../platform/jobs/jobs.ts'
import type { Database, Transaction } from '../../../tables.ts'

/** A queued email or text message; a finished one without its content. */
export type MessagesTable = {
  id: string
  channel: 'mail' | 'sms'
  kind: string
  /** Recipient and content, until the message is sent or has failed. */
  sealed: string | null
  status: Generated<'queued' | 'sent' | 'failed'>
  attempts: Generated<number>
  last_error: string | null
  created_at: ColumnType<Date, Date, never>
  give_up_at: ColumnType<Date, Date, never>
  finished_at: Date | null
}

/**
 * Notices within a day to an unconfirmed mailbox, or caused by a network; the subject is a hash.
 */
export type NoticeCountsTable = { subject: Buffer; sent: number; since: Date }

/** An event that the notification centre of an account shows. */
export type NotificationsTable = {
  id: Generated<string>
  user_id: string
  kind: string
  title: string
  text: string
  page: string
  /** An unread notification about the same subject is replaced. */
  subject: string | null
  created_at: ColumnType<Date, Date, never>
  read_at: Date | null
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

export const findKind = (db: Database, id: string) =>
  db.selectFrom('messages').select('kind').where('id', '=', id).executeTakeFirst()

type End = { status: 'sent' | 'failed'; last_error: string | null; finished_at: Date }

/** Removes recipient and content. */
export async function finish(db: Database, id: string, end: End): Promise<void> {
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

/** Removed at once, so that one statement stays short. */
const removedAtOnce = 20

type NewNotification = Omit<Insertable<NotificationsTable>, 'id' | 'read_at'>
type Room = { atMost: number; kindsFirst: readonly string[] }

/**
 * Inserts a notification and removes the oldest beyond `atMost`, those of `kindsFirst` first. Skips
 * locked rows, so that two transactions never wait for each other; the next insertion removes those.
 */
const notifying = (row: NewNotification, { atMost, kindsFirst }: Room) => sql`
  surplus as (
    select id from notifications where user_id = ${row.user_id}
    order by kind = any (${kindsFirst}::text[]), created_at desc, id desc
    offset ${atMost - 1} limit ${removedAtOnce}),
  locked as (
    select id from notifications where id in (select id from surplus) for update skip locked),
  removed as (delete from notifications where id in (select id from locked)),
  notification as (
    insert into notifications (user_id, kind, title, text, page, subject, created_at)
    values (${row.user_id}, ${row.kind}, ${row.title}, ${row.text}, ${row.page}, ${row.subject},
      ${row.created_at}))`

export const insertNotification = (trx: Transaction, row: NewNotification, room: Room) =>
  sql`with ${notifying(row, room)} select`.execute(trx)

/** Inserts a message, the job that sends it, and the notification about the same event. */
export async function insertMessage(
  trx: Transaction,
  message: Pick<MessagesTable, 'id' | 'channel' | 'kind' | 'sealed'> & {
    created_at: Date
    give_up_at: Date
  },
  { task, ...options }: { task: string; max_attempts: number; priority: number },
  notification?: { row: NewNotification; room: Room },
): Promise<void> {
  const { id, channel, kind, created_at, give_up_at, sealed } = message
  const payload = sql`${JSON.stringify({ id })}::json`
  const notified = notification ? sql`, ${notifying(notification.row, notification.room)}` : sql``
  await sql`with message as (
      insert into messages (id, channel, kind, created_at, give_up_at, sealed)
      values (${id}, ${channel}, ${kind}, ${created_at}, ${give_up_at}, ${sealed}))
    ${notified} select ${jobCall(task, payload, options)}`.execute(trx)
}

export function findNotifications(
  db: Database,
  user_id: string,
  { before, limit }: { before: string | undefined; limit: number },
) {
  const newest = db
    .selectFrom('notifications')
    .select(['id', 'kind', 'title', 'text', 'page', 'created_at', 'read_at'])
    .where('user_id', '=', user_id)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (before === undefined) return newest.execute()
  return newest
    .where(
      sql<boolean>`(created_at, id) < (select at.created_at, at.id from notifications as at
        where at.id = ${before} and at.user_id = ${user_id})`,
    )
    .execute()
}

/** Reads the index of unread notifications only. */
export async function countUnread(db: Database, user_id: string): Promise<number> {
  const { unread } = await db
    .selectFrom('notifications')
    .select(({ fn }) => fn.countAll<string>().as('unread'))
    .where('user_id', '=', user_id)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(unread)
}

export const markRead = (trx: Transaction, user_id: string, up_to: string, read_at: Date) =>
  trx
    .updateTable('notifications')
    .set({ read_at })
    .where('user_id', '=', user_id)
    .where('read_at', 'is', null)
    .where(
      sql<boolean>`(created_at, id) <= (select at.created_at, at.id from notifications as at
        where at.id = ${up_to} and at.user_id = ${user_id})`,
    )
    .execute()

/** Skips rows that another transaction holds. */
export const removeUnread = (trx: Transaction, user_id: string, subject: string) =>
  trx
    .deleteFrom('notifications')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('notifications')
        .select('id')
        .where('user_id', '=', user_id)
        .where('subject', '=', subject)
        .where('read_at', 'is', null)
        .forUpdate()
        .skipLocked(),
    )
    .execute()

export async function removeNotifications(trx: Transaction, user_id: string): Promise<void> {
  await trx.deleteFrom('notifications').where('user_id', '=', user_id).execute()
}

export const deleteNotificationsBefore = (db: Database, moment: Date) =>
  db.deleteFrom('notifications').where('created_at', '<', moment).execute()

/** Notifications that arrived while their account was deleted. */
export const deleteNotificationsOfDeleted = (db: Database) =>
  db
    .deleteFrom('notifications')
    .where('user_id', 'in', (eb) =>
      eb.selectFrom('users').select('id').where('deleted_at', 'is not', null),
    )
    .execute()
