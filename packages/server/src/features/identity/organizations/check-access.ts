import {
  assertInOrganization,
  isAdmin,
  type MemberRole,
  mayInOrganization,
  type Principal,
  scopesOfMember,
} from '../../operations/access/access.ts'
import * as rules from './rules.ts'

type Scope = Parameters<typeof assertInOrganization>[2]

/** Hides the organization from non-members. */
export function assertMayInOrganization(caller: Principal, id: string, scope: Scope) {
  if (!isAdmin(caller) && !caller.memberships.has(id)) throw rules.unknownOrganization()
  assertInOrganization(caller, id, scope)
}

export const mayWriteIds = (role: MemberRole) => scopesOfMember(role).has('organizationEmoji:write')

/** Members read their organization; administrators read every one. */
export function assertMayReadOrganization(caller: Principal, id: string) {
  const isAdministered = mayInOrganization(caller, id, 'organization:admin')
  assertMayInOrganization(caller, id, isAdministered ? 'organization:admin' : 'organization:read')
}
