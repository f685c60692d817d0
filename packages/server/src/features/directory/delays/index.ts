export { createDelays, type Delays } from './delays.ts'
export { delayJobs } from './jobs.ts'
export { delayRoutes } from './routes.ts'
export { assertPlannedOrder } from './rules.ts'
