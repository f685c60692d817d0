export { promotionRoutes } from './routes.ts'
export { createPromotions } from './service.ts'
