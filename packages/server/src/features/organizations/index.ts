export { createOrganizations, type Organizations } from './organizations.ts'
export { organizationRoutes } from './routes.ts'
export { UnknownOrganizationError } from './rules.ts'
