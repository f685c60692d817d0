export { oversightRoutes } from './routes.ts'
export { createOversight } from './service.ts'
