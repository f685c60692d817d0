export { keyRoutes } from './routes.ts'
export { createKeys, type Keys } from './service.ts'
