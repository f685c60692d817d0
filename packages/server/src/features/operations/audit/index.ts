export { type Audit, createAudit } from './audit.ts'
export { auditRoutes } from './routes.ts'
