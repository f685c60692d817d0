export { keyRoutes } from './routes.ts'
export { createKeys, type Keys, rewrapKeys } from './service.ts'
