export { createLootboxSales, type LootboxSales } from './service.ts'
