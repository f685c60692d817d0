export { createInterests, type Interests } from './interests.ts'
export { interestJobs, interestTaskRules } from './jobs.ts'
export { interestRoutes } from './routes.ts'
