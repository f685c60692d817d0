import type { Generated } from 'kysely'
import type { Provider } from '../../operations/access/schema.ts'

/** An enabled second factor. */
export type SecondFactorsTable = {
  user_id: string
  provider: Provider
  /** The shared secret, or the phone number. */
  sealed: string
  last_step: number | null
  confirmed_at: Date
  /** The rate limit key of the client that gave the last accepted code. */
  last_network: string | null
}

/** A second factor that is not confirmed yet; one per session, which alone may confirm it. */
export type SecondFactorSetupsTable = {
  session_id: string
  user_id: string
  provider: Provider
  sealed: string
  is_default: boolean
  backup_codes_sha256: Buffer[]
  created_at: Date
}

export type BackupCodesTable = { user_id: string; code_sha256: Buffer }

/** A code that was sent to one phone, for the session that requested it. */
export type SmsCodesTable = {
  session_id: string
  user_id: string
  code_hmac: Buffer
  tries: number
  created_at: Date
  expires_at: Date
}

/**
 * Text messages of the last days, for rate limits. Columns that were added later are null in older
 * rows.
 */
export type SmsSendingsTable = {
  user_id: string
  at: Date
  /** Phone numbers are personal data, so the table stores only a keyed hash. */
  phone_hmac: Buffer | null
  network: string | null
  country: string | null
  purpose: SmsPurpose | null
  has_email: boolean | null
  /** Requested from the network of the last accepted code. */
  is_known: Generated<boolean>
}

/** `confirm` sets up a phone, `give` is the second factor. A code works for its purpose only. */
export type SmsPurpose = 'confirm' | 'give'
