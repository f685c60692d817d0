export { type Audit, createAudit } from './audit.ts'
export { auditRoutes } from './routes.ts'
export { AuditEntry } from './schema.ts'
