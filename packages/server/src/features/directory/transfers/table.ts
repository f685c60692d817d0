import type { Generated, Selectable } from 'kysely'

export type Status = 'awaiting_sender' | 'awaiting_receiver' | 'accepted' | 'closed'

/** An open or closed transfer of an id to another owner. */
export type TransfersTable = {
  id: Generated<string>
  emoji_id: string
  status: Status
  sender_id: string
  /** Null for a transfer to an organization. */
  recipient_id: string | null
  /** The organization whose key is addressed; its power roles accept. */
  organization_id: string | null
  /** Email address as sent; empty for a transfer to a key. */
  email: string
  pubkey: string | null
  clear_on_transfer: boolean
  message: string | null
  /** The recipient sees the sender's email address. */
  shows_sender: Generated<boolean>
  /** HMAC of the expected code; null if no code was emailed. */
  code_hmac: Buffer | null
  code_sent_at: Date | null
  /** Wrong codes in the current state. */
  tries: Generated<number>
  created_at: Date
  sender_code_accepted_at: Date | null
  accepted_at: Date | null
  deleted_at: Date | null
}

export type Transfer = Selectable<TransfersTable>
