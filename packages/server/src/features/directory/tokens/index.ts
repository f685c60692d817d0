export { tokenRoutes } from './routes.ts'
export { createTokens } from './tokens.ts'
