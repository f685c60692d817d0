import type { JSONColumnType } from 'kysely'

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

export type LinkData = {
  email?: string
  redirect?: string
  linked_at?: string
  emoji_id?: string
  version?: number
  /** The hash of what tells the browser that asked for it. */
  browser?: string
}
