import type { JSONColumnType } from 'kysely'
import type { MemberRole } from '../../operations/access/schema.ts'

/** A one-use link or code that was given out, by the hash of its token. */
export type LinksTable = {
  token_sha256: Buffer
  purpose: LinkPurpose
  user_id: string
  data: JSONColumnType<LinkData>
  created_at: Date
  expires_at: Date
  used_at: Date | null
}

/** Each opens one thing only. */
export type LinkPurpose =
  | 'magic_link'
  | 'confirm_email'
  | 'change_email'
  | 'reset_password'
  | 'first_password'
  | 'exchange'
  | 'undo_records'
  | 'cancel_change'
  | 'keep_delay'
  | 'end_interest'
  | 'not_me'
  | 'recover_factor'
  | 'finish_recovery'

/** What owners are told of, and may say that it was not them. */
export type ToldEvent =
  | 'api_key'
  | 'delay_lock'
  | 'member'
  | 'pubkey'
  | 'second_factor'
  | 'signature'
  | 'wallet'

export type LinkData = {
  email?: string
  redirect?: string
  linked_at?: string
  emoji_id?: string
  version?: number
  /** What a notice told of, which its reader may not have done. */
  told?: ToldEvent
  provider?: string
  /** Of a changed member: where, who, and as what before. */
  organization_id?: string
  member_id?: string
  role_before?: MemberRole | undefined
  /** As what they are since, if they are a member. */
  role_after?: MemberRole | undefined
  /** Of a raised delay lock: how many hours it had before. */
  hours?: number
  /** The hash of what tells the browser that asked for it. */
  browser?: string
}
