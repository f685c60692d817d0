export { delayJobs } from './jobs.ts'
export { delayRoutes } from './routes.ts'
export { createDelays, type Delays } from './service.ts'
