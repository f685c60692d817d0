export { loginRoutes } from './routes.ts'
export { createLogin } from './service.ts'
