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
}
export type LootboxType = Selectable<LootboxTypesTable>
