export { lootboxProofRoutes } from './routes.ts'
export { createLootboxProofs } from './service.ts'
