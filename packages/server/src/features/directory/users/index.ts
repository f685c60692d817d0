export { makeSuper } from './make-super.ts'
export { userRoutes } from './routes.ts'
export { Feature } from './schema.ts'
export { createUsers, type Users } from './users.ts'
