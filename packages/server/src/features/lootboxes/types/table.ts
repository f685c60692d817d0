import type { BoxConfig } from '@emojid/core'
import type { ColumnType, Generated, Selectable } from 'kysely'

/** How boxes are drawn; never changed. */
export type LootboxTypesTable = {
  id: Generated<string>
  name: string
  description: string
  config: ColumnType<BoxConfig, string, never>
  /** For how much its boxes are sold; null: they are not. */
  price_in_cents: number | null
  created_at: Date
  /** Since when no more boxes are drawn by it, because ids of one of its ranges ran out. */
  exhausted_at: Date | null
}
export type LootboxType = Selectable<LootboxTypesTable>
