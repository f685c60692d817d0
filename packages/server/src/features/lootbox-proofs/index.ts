export { createLootboxProofs } from './lootbox-proofs.ts'
export { lootboxProofRoutes } from './routes.ts'
