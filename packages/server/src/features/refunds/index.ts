export { refundRoutes } from './routes.ts'
export { createRefunds } from './service.ts'
