export { apiKeyRoutes } from './routes.ts'
export { createApiKeys } from './service.ts'
