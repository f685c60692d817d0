export { ledgerJobs, ledgerTaskRules } from './jobs.ts'
export { nothing, type Sums } from './rules.ts'
export { RefundPage, RefundQuery, RefundView } from './schema.ts'
export { createLedger, type Ledger, refundTask, rewrapClaims } from './service.ts'
