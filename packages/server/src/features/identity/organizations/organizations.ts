import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Notifications } from '../../operations/notifications/notifications.ts'
import type { Accounts } from '../accounts/accounts.ts'
import type { Keys } from '../keys/keys.ts'
import type { Removals } from '../removals/removals.ts'
import {
  acceptMembership,
  addMember,
  leaveOrganization,
  leaveOrganizations,
  putMember,
  removeMember,
} from './change-members.ts'
import { changeOrganization } from './change-organization.ts'
import { assertMayInOrganization, assertMayReadOrganization } from './check-access.ts'
import { createOrganization, insertOrganization } from './create-organization.ts'
import {
  acceptInvitation,
  declineInvitation,
  endInvitationsBy,
  inviteMember,
  listInvitations,
  listOwnInvitations,
  withdrawInvitation,
} from './invitations.ts'
import { notifyOwners } from './notify-owners.ts'
import {
  findByPathOrId,
  isHeldByBarred,
  listHeldAlone,
  listMembers,
  listMemberships,
  listOrganizations,
  listWriters,
  loadOrganizationToChange,
  showOrganization,
} from './read-organizations.ts'
import * as organizations from './repository.ts'
import { revertMemberChanges } from './revert-members.ts'

export { purgeInvitations } from './invitations.ts'

export { unknownOrganization } from './rules.ts'

export type Options = {
  db: Database
  accounts: Accounts
  keys: Keys
  removals: Removals
  audit: Audit
  notifications: Notifications
  now: () => Date
  webUrl: string
  /** Derives the ids of members who did not accept, as their organization sees them. */
  memberKey: Buffer
}

/** Runs when a member loses the right to act for the ids of an organization. */
export type DemotionListener = (
  trx: Transaction,
  user_id: string,
  organization_id: string,
) => Promise<void>

export type Deps = Options & {
  whenLowered: DemotionListener[]
}

export type Organizations = ReturnType<typeof createOrganizations>

/** Organizations, their members and roles. */
export function createOrganizations(options: Options) {
  const { accounts, db } = options
  const whenLowered: DemotionListener[] = []
  const deps: Deps = { ...options, whenLowered }
  const bind = bindTo(deps)
  accounts.whenRevoked(bind(revertMemberChanges))
  accounts.beforeDeletion(bind(leaveOrganizations))
  for (const subscribe of [accounts.whenRevoked, accounts.whenDisowned, accounts.whenDemoted])
    subscribe((trx, user_id) => endInvitationsBy(deps, trx, user_id))

  return {
    ...bindUseCases(deps, {
      insertOrganization,
      addMember,
      createOrganization,
      changeOrganization,
      findByPathOrId,
      showOrganization,
      listOrganizations,
      listMembers,
      putMember,
      removeMember,
      leaveOrganization,
      acceptMembership,
      inviteMember,
      listInvitations,
      withdrawInvitation,
      listOwnInvitations,
      acceptInvitation,
      declineInvitation,
      notifyOwners,
      listHeldAlone,
      listMemberships,
      isHeldByBarred,
    }),
    whenLowered: (action: DemotionListener) => void whenLowered.push(action),
    assertMayInOrganization,
    assertMayReadOrganization,
    loadOrganizationToChange,
    findOrganization: (from: Database, id: string) => organizations.find(from, id),
    findByPath: (from: Database, path: string) => organizations.findByPath(from, path),
    listOrganizationsOf: (user_id: string) => organizations.findOfUser(db, user_id),
    listWriters,
    lockOrganizationsOf: organizations.lockOfMember,
  }
}
