export { createLootboxProofs } from './proofs.ts'
export { lootboxProofRoutes } from './routes.ts'
