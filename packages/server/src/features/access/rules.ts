import { ServiceError } from '../../platform/errors.ts'
import { type GlobalRole, globalRoles, type MemberRole, type Scope, scopes } from './schema.ts'

/** Who calls, as far as it matters for what they may do. */
export type Principal = Readonly<{
  user_id: string
  role: GlobalRole
  scopes: ReadonlySet<Scope>
  memberships: ReadonlyMap<string, MemberRole>
  session_id: string
  /** When the mailed link was opened that this session came from. */
  linked_at: Date | null
}>

/**
 * What a route asks of its caller. `public`: nothing, credentials are not even read; `optional`:
 * nothing, but who sends credentials must send good ones; `user`: any account; else one of the scopes.
 */
export type Access = 'public' | 'optional' | 'user' | Scope | readonly Scope[]

const ofUser: readonly Scope[] = [
  'cart:show',
  'cart:update',
  'user:createApiKey',
  'edition:read',
  'emoji::transfer',
  'lootbox:use',
  'order:readSelf',
  'organizationList:read',
  'nftSignature:write',
  'paymentMethod:destroy',
  'paymentMethod:read',
  'paymentMethod:setDefault',
  'userData:update',
  'user:deleteSelf',
  'userInterest:delete',
  'userInterest:read',
  'userInterest:write',
  'user:writeSelf',
]
const isPurchase = (scope: Scope) => /^(cart|paymentMethod):/.test(scope)

const ofRole: Record<GlobalRole, ReadonlySet<Scope>> = {
  User: new Set(ofUser),
  Bot: new Set([...ofUser.filter((scope) => !isPurchase(scope)), 'user:activate']),
  Admin: new Set(scopes.filter((scope) => scope !== 'adminUser:loginAs')),
  Super: new Set(scopes),
}

const ofController: readonly Scope[] = [
  'organization:read',
  'organizationEmoji:list',
  'organizationEmoji:write',
  'organizationCode:admin',
  'organizationUser:read',
]
const ofMemberRole: Record<MemberRole, ReadonlySet<Scope>> = {
  OrgMember: new Set(['organization:read']),
  OrgController: new Set(ofController),
  OrgOwner: new Set([
    ...ofController,
    'organization:write',
    'organization:admin',
    'organizationUser:admin',
  ]),
}

export const scopesOfRole = (role: GlobalRole): ReadonlySet<Scope> => ofRole[role]
export const scopesOfMember = (role: MemberRole): ReadonlySet<Scope> => ofMemberRole[role]

export const isAdmin = ({ role }: Principal): boolean => role === 'Admin' || role === 'Super'

export function mayCall({ scopes: held }: Principal, access: Access): boolean {
  if (access === 'public' || access === 'optional' || access === 'user') return true
  const asked: readonly Scope[] = typeof access === 'string' ? [access] : access
  return asked.some((scope) => held.has(scope))
}

/** A scope held everywhere, or by membership in that organization. */
export function mayInOrganization(caller: Principal, organization_id: string, scope: Scope) {
  const member = caller.memberships.get(organization_id)
  return caller.scopes.has(scope) || (member !== undefined && ofMemberRole[member].has(scope))
}

export function assertScope(caller: Principal, scope: Scope): void {
  if (!caller.scopes.has(scope)) throw new MissingScopeError([scope])
}

export function assertInOrganization(caller: Principal, organization_id: string, scope: Scope) {
  if (!mayInOrganization(caller, organization_id, scope)) throw new MissingScopeError([scope])
}

/** Nobody changes their own role, or anybody's to or from one above their own. */
export function assertMayChangeRole(
  caller: Principal,
  subject: { id: string; role: GlobalRole },
  role: GlobalRole,
): void {
  assertScope(caller, 'adminUser:roleUpdate')
  const rank = (name: GlobalRole) => globalRoles.indexOf(name)
  if (subject.id === caller.user_id) throw new OwnRoleError()
  if (Math.max(rank(role), rank(subject.role)) > rank(caller.role)) throw new RoleAboveError()
}

export function isScope(text: string): text is Scope {
  return (scopes as readonly string[]).includes(text)
}

export class MissingCredentialError extends ServiceError {
  override readonly name = 'Access.MissingCredentialError'
  constructor() {
    super(
      'unauthenticated',
      'unauthenticated',
      'Sign in first: send an access token as "Authorization: Bearer …".',
    )
  }
}

export class InvalidTokenError extends ServiceError {
  override readonly name = 'Access.InvalidTokenError'
  constructor() {
    super(
      'unauthenticated',
      'invalid_token',
      'The access token is not valid any more. Refresh it or log in again.',
    )
  }
}

export class MissingScopeError extends ServiceError {
  override readonly name = 'Access.MissingScopeError'
  constructor(asked: readonly Scope[]) {
    super('forbidden', 'insufficient_scope', `This needs the scope ${asked.join(' or ')}.`)
  }
}

class OwnRoleError extends ServiceError {
  override readonly name = 'Access.OwnRoleError'
  constructor() {
    super('forbidden', 'own_role', 'Nobody changes their own role. Ask another administrator.')
  }
}

class RoleAboveError extends ServiceError {
  override readonly name = 'Access.RoleAboveError'
  constructor() {
    super('forbidden', 'role_above', 'That role is above your own.')
  }
}
