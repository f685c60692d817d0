export { createSiteSessions, type SiteSessions } from './service.ts'
