export type { SuspensionChange } from './deps.ts'
export { suspensionRoutes } from './routes.ts'
export { createSuspensions, type Suspensions } from './suspensions.ts'
