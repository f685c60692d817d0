import type { Transaction } from '../../../tables.ts'
import type { MemberRole } from '../../operations/access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import { announceLostRights, auditMember, changeRole } from './change-members.ts'
import { mayWriteIds } from './check-access.ts'
import type { Deps } from './deps.ts'
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
 * Reverts a change of members, if the member still has the role that the notice named, and every
 * change that the member made since. Only for a user who is still owner: an old mail does not
 * bring a removed owner back. Skips roles that a removed person would get back.
 */
async function revertMemberChange(deps: Deps, trx: Transaction, user_id: string, notice: Notice) {
  const { organization_id: id, invitation_id, role_after } = notice
  if (!id) return
  if (!(await organizations.findToChange(trx, id))) return
  const invitation = invitation_id && (await organizations.findInvitation(trx, invitation_id))
  const member_id = invitation ? invitation.accepted_by : notice.member_id
  if (!member_id || member_id === user_id) return
  const members = await organizations.findMembers(trx, id)
  const roles = new Map(members.map((member) => [member.user_id, member.role]))
  if (roles.get(user_id) !== 'OrgOwner' || roles.get(member_id) !== role_after) return
  const later = await organizations.findChangesSince(trx, id, notice.at)
  const changed = later.find((change) => change.user_id === member_id)
  const role_before = invitation ? changed?.role_before : notice.role_before
  const named = { user_id: member_id, role: role_before ?? null }
  for (const revert of [named, ...rules.changesToRevert(later, roles, { member_id, user_id })]) {
    const { user_id: subject, role } = revert
    if (role && !(await mayReturnTo(deps, trx, subject, role, roles.get(subject)))) continue
    const former = later.find((change) => change.user_id === subject)
    const { accepted_at = null, owner_accepted_at = null } = former ?? {}
    const accepted = {
      accepted_at,
      owner_accepted_at: role === 'OrgOwner' ? owner_accepted_at : null,
    }
    const change = { user_id: subject, role_after: role, changed_by: user_id, ...accepted }
    await changeRole(deps, trx, id, change)
    await auditMember(deps, trx, user_id, id, subject, { role: role ?? 'none', reason: 'Not me' })
    if (!role || !mayWriteIds(role)) await announceLostRights(deps, trx, id, subject)
  }
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
  return !(await removals.isBarred(trx, user))
}
