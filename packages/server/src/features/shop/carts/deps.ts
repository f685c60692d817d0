import type { Database } from '../../../tables.ts'
import type { Catalog } from '../../directory/catalog/index.ts'
import type { Organizations } from '../../identity/organizations/index.ts'
import type { BoxSales, Orders } from '../orders/index.ts'
import type { Settlement } from '../settlement/index.ts'

export type Deps = {
  db: Database
  catalog: Catalog
  lootboxSales: BoxSales
  orders: Orders
  organizations: Organizations
  settlement: Settlement
  now: () => Date
  companyFeePercent: number
}
