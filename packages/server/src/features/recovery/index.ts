export { recoveryJobs } from './jobs.ts'
export { createRecovery, type Recovery } from './service.ts'
