export { codeRoutes } from './routes.ts'
export { type Codes, createCodes } from './service.ts'
export type { Code } from './table.ts'
