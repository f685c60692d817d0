export { cartRoutes } from './routes.ts'
export { markOf, newItem, pricedAt, readTrackingData } from './rules.ts'
export { TrackingData } from './schema.ts'
export { type Carts, createCarts } from './service.ts'
