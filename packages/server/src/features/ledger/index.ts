export { nothing, type Sums } from './rules.ts'
export { RefundView } from './schema.ts'
export { createLedger, type Ledger, refundTask } from './service.ts'
