export { pictureJobs } from './jobs.ts'
export { createPictures, type Pictures } from './pictures.ts'
export { pictureRoutes } from './routes.ts'
export { showEmojiId, spokenNames, themeOf } from './rules.ts'
