export { disputeRoutes } from './routes.ts'
export { createDisputes } from './service.ts'
