import type { ColumnType, Generated } from 'kysely'

/** A registered id. Its key is the canonical format. */
export type EmojiIdsTable = {
  emoji_id: string
  display_format: string
  generation: number
  token_id: number | null
  minted: Generated<boolean>
  version: Generated<number>
  created_at: ColumnType<Date, Date | undefined, never>
  updated_at: ColumnType<Date, Date | undefined, Date>
}
