export { createBulkIds } from './bulk-ids.ts'
export { bulkIdRoutes } from './routes.ts'
