export { createLootboxGeneration } from './lootbox-generation.ts'
export { lootboxGenerationRoutes } from './routes.ts'
