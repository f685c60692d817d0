export { anyCallerOf, callerOf, guardRoutes } from './routes.ts'
export {
  assertFresh,
  assertInOrganization,
  assertMayChangeRole,
  assertMayTakeOver,
  assertNotAbove,
  assertScope,
  InvalidTokenError,
  inRole,
  isAdmin,
  MissingScopeError,
  mayInOrganization,
  type Principal,
  scopesOfMember,
  scopesOfRole,
} from './rules.ts'
export {
  type GlobalRole,
  globalRoles,
  type MemberRole,
  MemberRoleName,
  type Provider,
  ProviderName,
  RoleName,
  type Scope,
  ScopeName,
} from './schema.ts'
