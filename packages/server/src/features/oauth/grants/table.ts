import type { Generated } from 'kysely'

/** A user's consent that an application sees one emoji id. */
export type OauthGrantsTable = {
  id: Generated<string>
  client_id: string
  user_id: string
  emoji_id: string
  /** The redirect address of the code. Null in older grants. */
  redirect_uri: string | null
  epoch: number
  created_at: Date
  last_used_at: Date
  expires_at: Date
  ended_at: Date | null
}

/** The pseudonym of an account at one application. */
export type OauthSubjectsTable = {
  client_id: string
  user_id: string
  subject: Generated<string>
}

/** An authorization code and its grant. */
export type OauthCodesTable = {
  id: string
  client_id: string
  user_id: string
  epoch: number
  expires_at: Date
  used_at: Date | null
  grant_id: string | null
}

/** The refresh tokens of a grant. Stores only hashes. */
export type OauthTokensTable = {
  token_sha256: Buffer
  grant_id: string
  created_at: Date
  expires_at: Date
  rotated_at: Date | null
}
