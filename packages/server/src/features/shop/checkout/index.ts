export { type Checkout, createCheckout } from './checkout.ts'
export { checkoutRoutes } from './routes.ts'
