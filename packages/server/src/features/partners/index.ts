export { createPartners, type Partners } from './partners.ts'
export { partnerRoutes } from './routes.ts'
