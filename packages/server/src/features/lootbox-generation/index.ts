export { lootboxGenerationRoutes } from './routes.ts'
export { createLootboxGeneration } from './service.ts'
