export { createJobs } from './jobs.ts'
export { jobRoutes } from './routes.ts'
