import type { Transaction } from '../../../tables.ts'
import type { MemberRole } from '../../operations/access/access.ts'
import type { Accounts } from '../accounts/accounts.ts'
import { announceLostRights, auditMember, changeRole } from './change-members.ts'
import { mayWriteIds } from './check-access.ts'
import { notifyOwners } from './notify-owners.ts'
import type { Deps } from './organizations.ts'
import * as organizations from './repository.ts'
import * as rules from './rules.ts'

type Revocation = Parameters<Parameters<Accounts['whenRevoked']>[0]>[2]
type Notice = NonNullable<Revocation['notices']>[number]

export async function revertMemberChanges(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  { notices = [] }: Revocation,
) {
  for (const notice of notices) {
    if (notice.event === 'member') await revertMemberChange(deps, trx, user_id, notice)
  }
}

/**
 * Reverts a change of members, and the changes that the member made since. A reader who lost rights
 * to an intruder gets them back first: a thief could otherwise void the link by removing the owner.
 * Reverts nothing else for a reader who is no owner. Skips roles that a removed person would get back.
 */
async function revertMemberChange(deps: Deps, trx: Transaction, user_id: string, notice: Notice) {
  const { organization_id: id, invitation_id, at } = notice
  const organization = id && (await organizations.findToChange(trx, id))
  if (!organization) return
  const invitation = invitation_id && (await organizations.findInvitation(trx, invitation_id))
  const member_id = invitation ? invitation.accepted_by : notice.member_id
  if (!member_id) return
  const members = await organizations.findMembers(trx, id)
  const roles = new Map(members.map((member) => [member.user_id, member.role]))
  const changes = await organizations.findChangesSince(trx, id, {
    at,
    ...(invitation ? {} : { member_id }),
  })
  const reverts = rules.changesToRevert(changes, roles, { member_id, user_id })
  const own = reverts.find((revert) => revert.user_id === user_id)
  const hasReturned = own && (await revertRole(deps, trx, id, own, { roles, reader: user_id }))
  const role = hasReturned ? own.role_before : roles.get(user_id)
  if (role === 'OrgOwner') {
    for (const revert of reverts) {
      if (revert !== own) await revertRole(deps, trx, id, revert, { roles, reader: user_id })
    }
  }
  if (!hasReturned || !role) return
  const [user] = await deps.accounts.findAccounts(trx, [user_id])
  const sentence = rules.memberSentence(organization.name, user?.email ?? user_id, role)
  await notifyOwners(deps, trx, id, rules.membersChanged, sentence)
}

type Revert = ReturnType<typeof rules.changesToRevert>[number]
type Reading = { roles: ReadonlyMap<string, MemberRole>; reader: string }

async function revertRole(
  deps: Deps,
  trx: Transaction,
  id: string,
  { user_id, role_before: role, accepted_at, owner_accepted_at }: Revert,
  { roles, reader }: Reading,
): Promise<boolean> {
  if (role && !(await mayReturnTo(deps, trx, user_id, role, roles.get(user_id)))) return false
  const accepted = { accepted_at, owner_accepted_at }
  await changeRole(deps, trx, id, { user_id, role_after: role, changed_by: reader, ...accepted })
  await auditMember(deps, trx, reader, id, user_id, { role: role ?? 'none', reason: 'Not me' })
  if (!role || !mayWriteIds(role)) await announceLostRights(deps, trx, id, user_id)
  return true
}

/** As when an owner adds a member, an account of a removed person gets no role that manages ids. */
async function mayReturnTo(
  { accounts, removals }: Deps,
  trx: Transaction,
  user_id: string,
  role: MemberRole,
  current: MemberRole | undefined,
): Promise<boolean> {
  const [user] = await accounts.findAccounts(trx, [user_id])
  if (!user || user.deleted_at) return false
  if (!mayWriteIds(role) || rules.isLower(role, current)) return true
  return !(await removals.isRemoved(trx, user))
}
