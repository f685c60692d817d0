export { createPromotions } from './promotions.ts'
export { promotionRoutes } from './routes.ts'
