export { interestJobs, interestTaskRules } from './jobs.ts'
export { interestRoutes } from './routes.ts'
export { createInterests, type Interests } from './service.ts'
