import type { ColumnType, Generated } from 'kysely'

/** An id that a checkout keeps for its buyer. */
export type HoldsTable = {
  emoji_id: string
  user_id: string
  order_id: string
  expires_at: Date
}

/** A registered id. Its key is the canonical format. */
export type EmojiIdsTable = {
  emoji_id: string
  display_format: string
  generation: number
  token_id: number | null
  minted: Generated<boolean>
  /** The key that has the id. */
  pubkey: string | null
  blocked_until: Date | null
  version: Generated<number>
  created_at: ColumnType<Date, Date | undefined, never>
  updated_at: ColumnType<Date, Date | undefined, Date>
}
