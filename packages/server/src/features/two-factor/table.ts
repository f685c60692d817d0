import type { Provider } from '../access/index.ts'

/** A second factor in force. */
export type SecondFactorsTable = {
  user_id: string
  provider: Provider
  /** The shared secret, or the phone number. */
  sealed: string
  last_step: number | null
  confirmed_at: Date
}

/** A second factor that was asked for and not confirmed yet; one per user. */
export type SecondFactorSetupsTable = {
  user_id: string
  provider: Provider
  sealed: string
  is_default: boolean
  backup_codes_sha256: Buffer[]
  created_at: Date
}

export type BackupCodesTable = { user_id: string; code_sha256: Buffer }

/** A code on its way to a phone, for the session that asked. */
export type SmsCodesTable = {
  session_id: string
  user_id: string
  code_hmac: Buffer
  tries: number
  created_at: Date
  expires_at: Date
}

export type SmsSendingsTable = { user_id: string; at: Date }
