import type { Database } from '../../tables.ts'
import type { Catalog } from '../catalog/index.ts'
import type { LootboxSales } from '../lootbox-sales/index.ts'
import type { Orders } from '../orders/index.ts'
import type { Organizations } from '../organizations/index.ts'
import type { Settlement } from '../settlement/index.ts'

export type Deps = {
  db: Database
  catalog: Catalog
  lootboxSales: LootboxSales
  orders: Orders
  organizations: Organizations
  settlement: Settlement
  now: () => Date
  companyFeePercent: number
}
