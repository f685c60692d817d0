export { createProxy } from './proxy.ts'
export { proxyRoutes } from './routes.ts'
