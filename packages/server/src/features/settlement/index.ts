export { settlementJobs } from './jobs.ts'
export { createSettlement, type Settlement } from './service.ts'
