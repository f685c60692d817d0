export { interestJobs } from './jobs.ts'
export { interestRoutes } from './routes.ts'
export { createInterests, type Interests } from './service.ts'
