export { type Clients, createClients } from './clients.ts'
export type { OauthClient } from './read-clients.ts'
export { clientRoutes } from './routes.ts'
