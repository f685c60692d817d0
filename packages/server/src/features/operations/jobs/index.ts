export type { TaskRules } from './deps.ts'
export { createJobs } from './jobs.ts'
export { jobRoutes } from './routes.ts'
