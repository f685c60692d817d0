export { userRoutes } from './routes.ts'
export { Feature } from './schema.ts'
export { createUsers, type Users } from './service.ts'
