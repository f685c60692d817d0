export { createLootboxGeneration } from './generation.ts'
export { lootboxGenerationRoutes } from './routes.ts'
