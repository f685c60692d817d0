export { recoveryJobs } from './jobs.ts'
export { recoveryRoutes } from './routes.ts'
export { createRecovery, type Recovery } from './service.ts'
