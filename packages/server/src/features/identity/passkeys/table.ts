import type { Generated, Selectable } from 'kysely'

/** A WebAuthn credential of an account. */
export type PasskeysTable = {
  id: Generated<string>
  user_id: string
  /** base64url, as browsers send it. */
  credential_id: string
  /** COSE. */
  public_key: Buffer
  /** PostgreSQL returns a bigint as text. */
  counter: string | number
  transports: string[]
  name: string
  created_at: Date
  last_used_at: Date | null
  /** When it began to count as a code. Null for a passkey that is older than the second factor. */
  confirmed_at: Date | null
}

export type Passkey = Selectable<PasskeysTable>

/** Challenges that were accepted once, until they expire. */
export type UsedPasskeyChallengesTable = { challenge_sha256: Buffer; expires_at: Date }
