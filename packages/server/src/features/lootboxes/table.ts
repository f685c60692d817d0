import type { BoxConfig, BoxRecipe, Rejection } from '@emojid/core'
import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely'

export const statuses = ['Draft', 'Available', 'Owned', 'Used'] as const
export type Status = (typeof statuses)[number]

/** Ids that somebody gets at once, without knowing which before. */
export type LootboxesTable = {
  id: string
  /** Null for a box that was filled by hand. */
  lootbox_type_id: string | null
  status: Status
  /** As they are displayed, with the prices and scores of when the box was filled. */
  yats: string[]
  prices: number[]
  scores: number[]
  owner_id: string | null
  /** In lower case; whoever has it confirmed becomes the owner. */
  owner_email: string | null
  sealed_seed: string
  seed_hash: string
  contents_hash: string
  recipe: ColumnType<BoxRecipe | null, string | null, never>
  /** What was drawn and could not be had. */
  rejected: ColumnType<Rejection[], string, string>
  /** The order that keeps it until then, or that bought it. */
  order_id: string | null
  held_until: Date | null
  /** Since when the payment for it is disputed. */
  frozen_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  created_at: Date
  updated_at: Date
  opened_at: Date | null
  /** What it is found by, in lower case. */
  searchable: GeneratedAlways<string>
}
export type Box = Selectable<LootboxesTable>

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
