import type { ColumnType } from 'kysely'

/** One request that a client may repeat, and what came of it. */
export type IdempotencyKeysTable = {
  caller: string
  method: string
  path: string
  key: string
  request_sha256: string
  /** Which attempt works on it. An attempt that was overtaken cannot commit any more. */
  attempt: string
  started_at: Date
  /** When the effect was committed; written in the same transaction. */
  effect_at: Date | null
  status: number | null
  body: string | null
  created_at: ColumnType<Date, Date, never>
}
