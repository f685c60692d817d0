export { createOwnIds } from './own-ids.ts'
export { ownIdRoutes } from './routes.ts'
