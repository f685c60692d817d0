import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** An id that a checkout holds for its buyer. */
export type HoldsTable = {
  emoji_id: string
  user_id: string
  order_id: string
  expires_at: Date
}

/** An id that has no owner and cannot be bought for now. */
export type ReservationsTable = {
  emoji_id: string
  reason: 'cooling' | 'lootbox'
  lootbox_id: string | null
  /** Null: until it is lifted. */
  until: Date | null
}

/** How an id came into the directory. */
export type IdOrigin = 'Purchase' | 'LootBox' | 'Grant'

/** An id or a pattern of ids that is not for sale. */
export type ReservedIdsTable = {
  /** In a pattern, * stands for any number of emojis. */
  pattern: string
  has_wildcard: GeneratedAlways<boolean>
  reason: string
  reserved_by: string | null
  reserved_at: Date
}

/** A registered id. Its key is the canonical format. */
export type EmojiIdsTable = {
  emoji_id: string
  display_format: string
  generation: number
  token_id: number | null
  minted: Generated<boolean>
  /** The account that holds the token, as the chain was last reported. */
  token_account: Generated<string | null>
  /** The key that owns the id. */
  pubkey: string | null
  blocked_until: Date | null
  /** When the mint signature expires. */
  signed_until: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** When the owner bought it; null if it was granted. */
  bought_at: ColumnType<Date | null, Date | null | undefined, never>
  /** The order it was bought with, directly or in a lootbox. */
  order_id: ColumnType<string | null, string | null | undefined, never>
  /** Since when the payment for it is disputed. */
  frozen_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  origin: ColumnType<IdOrigin, IdOrigin | undefined, never>
  /** Since when an operator has suspended it. */
  suspended_at: ColumnType<Date | null, undefined, Date | null>
  suspension_reason: ColumnType<string | null, undefined, string | null>
  /** Suspended because the account of its owner was deactivated. */
  suspended_with_owner: ColumnType<boolean, undefined, boolean>
  /** The person with whose account it was suspended. */
  suspended_with_user: ColumnType<string | null, undefined, string | null>
  /** The operator who suspended it. */
  suspended_by: ColumnType<string | null, undefined, string | null>
  version: Generated<number>
  created_at: ColumnType<Date, Date | undefined, never>
  updated_at: ColumnType<Date, Date | undefined, Date>
}
