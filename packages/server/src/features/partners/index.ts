export { partnerRoutes } from './routes.ts'
export { createPartners, type Partners } from './service.ts'
