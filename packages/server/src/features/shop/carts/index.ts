export { type Carts, createCarts } from './carts.ts'
export { cartRoutes } from './routes.ts'
export { type FeePercents, feesOn, markOf, newItem, pricedAt, readTrackingData } from './rules.ts'
export { FlowPartner, TrackingData } from './schema.ts'
