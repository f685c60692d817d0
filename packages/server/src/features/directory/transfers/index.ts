export { transferJobs } from './jobs.ts'
export { transferRoutes } from './routes.ts'
export { TransferList, TransferPage } from './schema.ts'
export { createTransfers, type Transfers } from './transfers.ts'
