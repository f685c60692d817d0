import type { Generated, Selectable } from 'kysely'

export type Status = 'awaiting_sender' | 'awaiting_receiver' | 'accepted' | 'closed'

/** An id on its way from one owner to another, or a way that is over. */
export type TransfersTable = {
  id: Generated<string>
  emoji_id: string
  status: Status
  sender_id: string
  recipient_id: string
  /** As it was addressed: to a mailbox, or to a key and then empty. */
  email: string
  pubkey: string | null
  clear_on_transfer: boolean
  message: string | null
  /** The code that is waited for; nothing while an authenticator app is asked instead. */
  code_hmac: Buffer | null
  code_sent_at: Date | null
  /** Wrong codes since the state began. */
  tries: Generated<number>
  created_at: Date
  sender_code_accepted_at: Date | null
  accepted_at: Date | null
  deleted_at: Date | null
}

export type Transfer = Selectable<TransfersTable>
