import type { Database } from '../../../tables.ts'
import type { Lootboxes } from '../boxes/index.ts'
import type { LootboxTypes } from '../types/index.ts'

export type Deps = {
  db: Database
  lootboxes: Lootboxes
  lootboxTypes: LootboxTypes
  now: () => Date
  /** Whether the service sells boxes. */
  isSold: boolean
}
