export { organizationJobs } from './jobs.ts'
export { createOrganizations, type Organizations } from './organizations.ts'
export { organizationRoutes } from './routes.ts'
export { unknownOrganization } from './rules.ts'
