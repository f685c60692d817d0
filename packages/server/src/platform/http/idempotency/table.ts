import type { ColumnType } from 'kysely'

/** One idempotent request and its outcome. */
export type IdempotencyKeysTable = {
  caller: string
  method: string
  path: string
  key: string
  request_sha256: string
  /** The current attempt. An attempt that was taken over cannot commit. */
  attempt: string
  started_at: Date
  /** When the effect was committed; written in the same transaction. */
  effect_at: Date | null
  status: number | null
  body: string | null
  created_at: ColumnType<Date, Date, never>
}
