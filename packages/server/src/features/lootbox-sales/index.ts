export { createLootboxSales, type LootboxSales } from './lootbox-sales.ts'
