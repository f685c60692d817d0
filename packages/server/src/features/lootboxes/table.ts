import type { BoxConfig, BoxRecipe, Rejection } from '@emojid/core'
import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely'

export const statuses = ['Draft', 'Available', 'Owned', 'Used'] as const
export type Status = (typeof statuses)[number]

/** A box of ids that its owner sees only after opening. */
export type LootboxesTable = {
  id: string
  /** Null for a box that was filled by hand. */
  lootbox_type_id: string | null
  status: Status
  /** Display formats, with the prices and scores when the box was filled. */
  yats: string[]
  prices: number[]
  scores: number[]
  owner_id: string | null
  /** In lower case. The account that confirms it becomes the owner. */
  owner_email: string | null
  sealed_seed: string
  seed_hash: string
  contents_hash: string
  recipe: ColumnType<BoxRecipe | null, string | null, never>
  /** Drawn ids that were not available. */
  rejected: ColumnType<Rejection[], string, string>
  /** The order that holds it until then, or that bought it. */
  order_id: string | null
  held_until: Date | null
  /** Since when the payment for it is disputed. */
  frozen_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  created_at: Date
  updated_at: Date
  opened_at: Date | null
  /** The text that searches match, in lower case. */
  searchable: GeneratedAlways<string>
}
export type Box = Selectable<LootboxesTable>

/** How boxes are drawn; never changed. */
export type LootboxTypesTable = {
  id: Generated<string>
  name: string
  description: string
  config: ColumnType<BoxConfig, string, never>
  /** The price of its boxes; null: not for sale. */
  price_in_cents: number | null
  created_at: Date
  /** Since when it draws no more boxes, because the ids of one of its ranges ran out. */
  exhausted_at: Date | null
  /** Its boxes that operators deleted; counted since the column exists. */
  discarded_boxes: Generated<number>
}
export type LootboxType = Selectable<LootboxTypesTable>
