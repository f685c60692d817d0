export { catalogRoutes } from './routes.ts'
export type { Offer } from './rules.ts'
export { type Catalog, createCatalog } from './service.ts'
