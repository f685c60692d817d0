export { proxyRoutes } from './routes.ts'
export { createProxy } from './service.ts'
