export { twoFactorJobs } from './jobs.ts'
export { twoFactorRoutes } from './routes.ts'
export { GiveCodeBody } from './schema.ts'
export { createSecondFactor, type SecondFactor } from './service.ts'
