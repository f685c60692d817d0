export { oauthClientRoutes } from './routes.ts'
export { createOauthClients, type OauthClient, type OauthClients } from './service.ts'
