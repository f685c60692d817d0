export { createDisputes } from './disputes.ts'
export { disputeRoutes } from './routes.ts'
