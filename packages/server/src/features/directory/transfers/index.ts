export { transferJobs } from './jobs.ts'
export { transferRoutes } from './routes.ts'
export {
  assertParty,
  isOperator,
  next,
  notNow,
  type Side,
  show,
  triesAtMost,
} from './rules.ts'
export { TransferList, TransferPage, TransferParams, TransferView } from './schema.ts'
export type { Transfer } from './table.ts'
export { createTransfers, type Transfers } from './transfers.ts'
