export { type Catalog, createCatalog } from './catalog.ts'
export { catalogRoutes } from './routes.ts'
export type { Offer } from './rules.ts'
