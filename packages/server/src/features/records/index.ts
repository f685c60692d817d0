export { recordRoutes } from './routes.ts'
export type { Answer } from './rules.ts'
export { createRecords, type Records } from './service.ts'
