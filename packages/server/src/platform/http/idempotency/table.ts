import type { ColumnType } from 'kysely'

/** One idempotent request and its outcome. */
export type IdempotencyKeysTable = {
  /** The hash of caller, method, path and key. */
  name_sha256: Buffer
  request_sha256: string
  /** The current attempt. An attempt that was taken over cannot commit. */
  attempt: string
  started_at: Date
  /** The time of the effect, written in its transaction. */
  effect_at: Date | null
  status: number | null
  /** Sealed. */
  body: string | null
  created_at: ColumnType<Date, Date, never>
}
