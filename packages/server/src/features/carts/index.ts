export { cartRoutes } from './routes.ts'
export { type FeePercents, markOf, newItem, pricedAt, readTrackingData } from './rules.ts'
export { FlowPartner, TrackingData } from './schema.ts'
export { type Carts, createCarts } from './service.ts'
