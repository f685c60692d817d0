export { checkoutRoutes } from './routes.ts'
export { type Checkout, createCheckout } from './service.ts'
