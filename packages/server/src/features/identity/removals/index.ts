export { removalJobs } from './jobs.ts'
export { createRemovals, type Removals } from './removals.ts'
