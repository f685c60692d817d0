export { createSiteSessions, type SiteSessions } from './site-sessions.ts'
