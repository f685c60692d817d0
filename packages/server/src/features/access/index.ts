export { anyCallerOf, callerOf, guardRoutes } from './routes.ts'
export {
  assertInOrganization,
  assertMayChangeRole,
  assertScope,
  InvalidTokenError,
  isAdmin,
  MissingScopeError,
  type Principal,
  scopesOfMember,
  scopesOfRole,
} from './rules.ts'
export {
  type GlobalRole,
  globalRoles,
  type MemberRole,
  MemberRoleName,
  RoleName,
  ScopeName,
} from './schema.ts'
