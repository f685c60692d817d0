export { ownIdRoutes } from './routes.ts'
export { createOwnIds } from './service.ts'
