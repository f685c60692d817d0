export { jobRoutes } from './routes.ts'
export { createJobs } from './service.ts'
