export { pictureJobs } from './jobs.ts'
export { pictureRoutes } from './routes.ts'
export { createPictures } from './service.ts'
