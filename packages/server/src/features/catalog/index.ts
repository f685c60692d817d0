export { catalogRoutes } from './routes.ts'
export { createCatalog } from './service.ts'
