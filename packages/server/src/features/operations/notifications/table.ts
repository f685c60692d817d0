import type { ColumnType, Generated } from 'kysely'

/** A mail or text message on its way, or that it was. */
export type MessagesTable = {
  id: string
  channel: 'mail' | 'sms'
  template: string
  /** Recipient and content, until it is sent or given up. */
  sealed: string | null
  status: Generated<'queued' | 'sent' | 'failed'>
  attempts: Generated<number>
  last_error: string | null
  created_at: ColumnType<Date, Date, never>
  give_up_at: ColumnType<Date, Date, never>
  finished_at: Date | null
}

/** Notices to a mailbox that nobody confirmed, or because of a network, within a day, by its hash. */
export type NoticeCountsTable = { subject: Buffer; sent: number; since: Date }
