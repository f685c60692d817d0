export { createRefunds } from './refunds.ts'
export { refundRoutes } from './routes.ts'
