export { createProfile } from './profile.ts'
export { profileRoutes } from './routes.ts'
