export { bulkIdRoutes } from './routes.ts'
export { createBulkIds } from './service.ts'
