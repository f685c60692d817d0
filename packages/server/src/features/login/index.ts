export { loginRoutes } from './routes.ts'
export { createLogin, type Login, type Origin } from './service.ts'
