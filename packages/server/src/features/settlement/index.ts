export { settlementJobs } from './jobs.ts'
export { PaymentUnderWayError } from './rules.ts'
export { createSettlement, type Settlement } from './settlement.ts'
