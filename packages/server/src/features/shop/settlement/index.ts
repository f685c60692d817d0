export { settlementJobs } from './jobs.ts'
export { paymentUnderWay } from './rules.ts'
export { createSettlement, type Settlement } from './settlement.ts'
