import type { Database } from '../../tables.ts'
import type { LootboxTypes } from '../lootbox-types/index.ts'
import type { Lootboxes } from '../lootboxes/index.ts'

export type Deps = {
  db: Database
  lootboxes: Lootboxes
  lootboxTypes: LootboxTypes
  now: () => Date
  /** Whether the service sells boxes. */
  isSold: boolean
}
