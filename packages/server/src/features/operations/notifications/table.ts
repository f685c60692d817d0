import type { ColumnType, Generated } from 'kysely'

/** A queued email or text message; a finished one without its content. */
export type MessagesTable = {
  id: string
  channel: 'mail' | 'sms'
  template: string
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
