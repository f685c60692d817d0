export { twoFactorJobs } from './jobs.ts'
export { twoFactorRoutes } from './routes.ts'
export { GiveCodeBody } from './schema.ts'
export { createSecondFactor, rewrapSecondFactors, type SecondFactor } from './service.ts'
