export { createOversight } from './oversight.ts'
export { oversightRoutes } from './routes.ts'
