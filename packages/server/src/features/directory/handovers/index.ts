export { createHandovers } from './handovers.ts'
export { handoverRoutes } from './routes.ts'
