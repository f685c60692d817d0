export { sessionJobs } from './jobs.ts'
export { sessionRoutes } from './routes.ts'
export { TokenAnswer } from './schema.ts'
export { createSessions, type Sessions, type SiteSessions } from './sessions.ts'
