export { organizationRoutes } from './routes.ts'
export { createOrganizations, type Organizations } from './service.ts'
