export { createBranding, type PartnerBranding } from './branding.ts'
export { brandingRoutes } from './routes.ts'
