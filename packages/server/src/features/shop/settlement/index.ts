export { settlementJobs } from './jobs.ts'
export { pendingPayment } from './rules.ts'
export { createSettlement, type Settlement } from './settlement.ts'
