export { savedCardRoutes } from './routes.ts'
export { createSavedCards, type SavedCards } from './saved-cards.ts'
