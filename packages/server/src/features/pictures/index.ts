export { pictureJobs } from './jobs.ts'
export { pictureRoutes } from './routes.ts'
export { iconsOf, themeOf } from './rules.ts'
export { createPictures } from './service.ts'
