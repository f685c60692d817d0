export { createOauthClients, type OauthClients } from './clients.ts'
export type { OauthClient } from './read-clients.ts'
export { oauthClientRoutes } from './routes.ts'
