import type { JSONColumnType } from 'kysely'

/** A one-time link or code, by the hash of its token. */
export type LinksTable = {
  token_sha256: Buffer
  purpose: LinkPurpose
  user_id: string
  data: JSONColumnType<LinkData>
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

/** A link works for one purpose only. */
export type LinkPurpose =
  | 'magic_link'
  | 'confirm_email'
  | 'change_email'
  | 'reset_password'
  /** Only counts the emails: they carry no token. */
  | 'password_hint'
  | 'first_password'
  | 'exchange'
  | 'undo_records'
  | 'cancel_change'
  | 'keep_delay'
  | 'end_interest'
  | 'not_me'
  | 'recover_factor'
  | 'finish_recovery'
  | 'gift'
  | 'hand_over'

/** Events whose emails have a "this was not me" link. */
export type NoticeEvent =
  | 'api_key'
  | 'delay_lock'
  /** To the former mailbox: the address of the account changed. */
  | 'email'
  | 'member'
  | 'passkey'
  | 'password'
  | 'pubkey'
  | 'refund'
  | 'second_factor'
  | 'signature'
  | 'wallet'

export type LinkData = {
  /** The mailbox that the link was sent to; for a change of the address, the new one. */
  email?: string
  redirect?: string
  linked_at?: string
  /** The epoch that the first emailed link of the account revoked. */
  claimed_epoch?: number
  emoji_id?: string
  /** The order of a requested refund. */
  order_id?: string
  version?: number
  /** The event of a "this was not me" link. */
  told?: NoticeEvent
  provider?: string
  /** For a changed member: the organization and the member. */
  organization_id?: string
  member_id?: string
  /** Instead of the member, for an invitation that a person may accept later. */
  invitation_id?: string
  /** For a raised delay lock: its former hours. */
  hours?: number
  /** The hash of the cookie of the browser that requested the link. */
  browser?: string
  /** The transfer of a gift link. */
  transfer_id?: string
  /** The session that continues at another of our sites, or that requested another address. */
  session_id?: string
  site?: 'authorization' | 'web'
}
