export { oauthJobs } from './jobs.ts'
export { oauthRoutes } from './routes.ts'
export { parameters } from './rules.ts'
export { type AuthorizationRequest, createOauth, type Oauth } from './service.ts'
