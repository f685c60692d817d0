import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { Database, Transaction } from '../../../tables.ts'
import { addMember, leaveOrganizations, putMember, removeMember } from './change-members.ts'
import { changeOrganization } from './change-organization.ts'
import { assertMayInOrganization, assertMayReadOrganization } from './check-access.ts'
import { createOrganization, insertOrganization } from './create-organization.ts'
import type { Deps, Options, WhenLowered } from './deps.ts'
import {
  findByPathOrId,
  listMembers,
  listOrganizations,
  listWriters,
  loadOrganizationToChange,
  showOrganization,
} from './read-organizations.ts'
import * as organizations from './repository.ts'
import { revertMemberChange } from './revert-members.ts'
import { tellOwners } from './tell-owners.ts'

export type Organizations = ReturnType<typeof createOrganizations>

/** Organizations, their members and roles. */
export function createOrganizations(options: Options) {
  const { accounts, db } = options
  const whenLowered: WhenLowered[] = []
  const deps: Deps = { ...options, whenLowered }
  const bind = bindTo(deps)
  accounts.whenRevoked(bind(revertMemberChange))
  accounts.beforeDeletion(leaveOrganizations)

  return {
    ...bindUseCases(deps, {
      make: insertOrganization,
      join: addMember,
      create: createOrganization,
      change: changeOrganization,
      findByPathOrId,
      show: showOrganization,
      list: listOrganizations,
      members: listMembers,
      putMember,
      removeMember,
      tellOwners,
    }),
    whenLowered: (action: WhenLowered) => void whenLowered.push(action),
    assertMay: assertMayInOrganization,
    assertMayRead: assertMayReadOrganization,
    load: loadOrganizationToChange,
    find: (from: Database | Transaction, id: string) => organizations.find(from, id),
    findByPath: (from: Database | Transaction, path: string) =>
      organizations.findByPath(from, path),
    of: (user_id: string) => organizations.findOfUser(db, user_id),
    powerMembers: listWriters,
  }
}
