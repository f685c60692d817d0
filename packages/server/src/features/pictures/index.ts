export { pictureJobs } from './jobs.ts'
export { pictureRoutes } from './routes.ts'
export { showEmojiId, spokenNames, themeOf } from './rules.ts'
export { createPictures, type Pictures } from './service.ts'
