export { createAccountExport } from './account-export.ts'
export { accountExportRoutes } from './routes.ts'
