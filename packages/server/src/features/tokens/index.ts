export { tokenRoutes } from './routes.ts'
export { createTokens } from './service.ts'
