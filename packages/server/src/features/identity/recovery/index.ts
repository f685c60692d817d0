export { recoveryJobs } from './jobs.ts'
export { createRecovery, type Recovery } from './recovery.ts'
export { recoveryRoutes } from './routes.ts'
