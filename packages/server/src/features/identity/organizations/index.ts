export { invitationJobs } from './invitations.ts'
export { createOrganizations, type Organizations } from './organizations.ts'
export { organizationRoutes } from './routes.ts'
export { unknownOrganization } from './rules.ts'
