export { type Codes, createCodes } from './codes.ts'
export { codeRoutes, codeUseRoutes } from './routes.ts'
export { rewrapCodes, sealCodes } from './seal-code.ts'
export type { Code } from './table.ts'
