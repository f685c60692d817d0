export { holdCaller } from './hold-caller.ts'
export { countRead, createLimits } from './limits.ts'
export { refreshCaller } from './refresh-caller.ts'
export { anyCallerOf, callerOf, guardRoutes } from './routes.ts'
export {
  assertBelow,
  assertFresh,
  assertInOrganization,
  assertMayChange,
  assertMayChangeRole,
  assertMayTakeOver,
  assertPerson,
  assertScope,
  holdsSomewhere,
  InvalidTokenError,
  inRole,
  isAdmin,
  isLowerRole,
  isPerson,
  lacksSecondFactor,
  mayInOrganization,
  missingScope,
  missingSecondFactor,
  oldLogin,
  type Principal,
  personNeeded,
  scopesInOrganization,
  scopesOfMember,
  scopesOfRole,
  unknownUser,
} from './rules.ts'
export {
  type GlobalRole,
  globalRoles,
  isKeyScope,
  type MemberRole,
  MemberRoleName,
  memberRoles,
  type Provider,
  ProviderName,
  RoleName,
  type Scope,
  ScopeName,
} from './schema.ts'
