export { sessionJobs } from './jobs.ts'
export { sessionRoutes } from './routes.ts'
export { TokenAnswer } from './schema.ts'
export { createSessions, type Sessions } from './service.ts'
