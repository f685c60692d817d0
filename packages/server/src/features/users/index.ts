export { userRoutes } from './routes.ts'
export { Feature } from './schema.ts'
export { createUsers, makeSuper, type Users } from './service.ts'
