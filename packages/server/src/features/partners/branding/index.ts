export { createPartners, type Partners } from './branding.ts'
export { partnerRoutes } from './routes.ts'
