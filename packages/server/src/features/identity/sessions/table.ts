import type { Generated } from 'kysely'

/** A client of the API, or a browser at one of our sites. */
export type SessionKind = 'device' | SiteName
export type SiteName = 'authorization' | 'web'

/** One sign-in on one device. */
export type SessionsTable = {
  id: Generated<string>
  kind: Generated<SessionKind>
  user_id: string
  /** The session that this one continues and ends with. */
  parent_id: string | null
  linked_at: Date | null
  /** For the session that began with the first emailed link of its account: the revoked epoch. */
  claimed_epoch: number | null
  /** The last authentication; a refresh does not count. */
  logged_in_at: Date
  epoch: number
  user_agent: string | null
  created_at: Date
  last_used_at: Date
  expires_at: Date
  ended_at: Date | null
  /** The session still owes a code. */
  second_factor_due: Generated<boolean>
  second_factor_at: Date | null
}

/** The refresh tokens of a session, rotated on use. Stores only hashes. */
export type RefreshTokensTable = {
  token_sha256: Buffer
  session_id: string
  created_at: Date
  expires_at: Date
  rotated_at: Date | null
  /** The first use. It ends the grace time of the token before. */
  used_at: Generated<Date | null>
}
