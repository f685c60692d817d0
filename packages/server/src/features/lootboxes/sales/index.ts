export { createLootboxSales } from './sales.ts'
