export { organizationRoutes } from './routes.ts'
export { UnknownOrganizationError } from './rules.ts'
export { createOrganizations, type Organizations } from './service.ts'
