import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { holdCaller, type MemberRole, type Principal } from '../../operations/access/index.ts'
import { assertMayInOrganization, mayWriteIds } from './check-access.ts'
import type { Deps } from './deps.ts'
import { loadOrganizationToChange } from './read-organizations.ts'
import * as organizations from './repository.ts'
import * as rules from './rules.ts'
import type { MemberBody } from './schema.ts'

type Member = { user_id: string; role: MemberRole }

export async function addMember(
  deps: Deps,
  trx: Transaction,
  id: string,
  user_id: string,
  role: MemberRole,
  actor_id: string | null = null,
  reason?: string,
) {
  await changeRole(deps, trx, id, { user_id, role_after: role, changed_by: actor_id })
  await auditMember(deps, trx, actor_id, id, user_id, { role, reason })
}

export async function leaveOrganizations(trx: Transaction, user_id: string) {
  for (const { id, role } of await organizations.findOfUser(trx, user_id)) {
    if (role === 'OrgOwner') {
      await loadOrganizationToChange(trx, id)
      rules.assertOwnerStays(await organizations.findMembers(trx, id), user_id, undefined)
    }
  }
  await organizations.removeUser(trx, user_id)
}

export async function putMember(
  deps: Deps,
  caller: Principal,
  id: string,
  user_id: string,
  { role, reason }: MemberBody,
) {
  const { db, accounts, removals } = deps
  assertMayInOrganization(caller, id, 'organizationUser:admin')
  return transact(db, async (trx) => {
    // Lock the user first, as the deletion of a user does: another order would deadlock.
    const user = await accounts.loadAccountToChange(trx, user_id)
    await holdCaller(trx, caller)
    if (mayWriteIds(role) && (await removals.isBarred(trx, user))) throw rules.barredMember()
    await loadOrganizationToChange(trx, id)
    const before = await organizations.findMembers(trx, id)
    rules.assertOwnerStays(before, user_id, role)
    await addMember(deps, trx, id, user_id, role, caller.user_id, reason)
    await mailOwners(deps, trx, id, { before, user_id, role, actor_id: caller.user_id })
    if (!mayWriteIds(role)) await announceLostRights(deps, trx, id, user_id)
    return organizations.findMembers(trx, id)
  })
}

export async function removeMember(
  deps: Deps,
  caller: Principal,
  id: string,
  user_id: string,
  reason?: string,
): Promise<void> {
  const { db } = deps
  assertMayInOrganization(caller, id, 'organizationUser:admin')
  await transact(db, async (trx) => {
    await holdCaller(trx, caller)
    await loadOrganizationToChange(trx, id)
    const before = await organizations.findMembers(trx, id)
    rules.assertOwnerStays(before, user_id, undefined)
    if (!before.some((member) => member.user_id === user_id)) throw rules.unknownMember()
    await changeRole(deps, trx, id, { user_id, role_after: null, changed_by: caller.user_id })
    await announceLostRights(deps, trx, id, user_id)
    await auditMember(deps, trx, caller.user_id, id, user_id, { role: 'none', reason })
    await mailOwners(deps, trx, id, { before, user_id, role: undefined, actor_id: caller.user_id })
  })
}

type RoleChange = { user_id: string; role_after: MemberRole | null; changed_by: string | null }

/** Changes or removes a member and records the former role. */
export async function changeRole({ now }: Deps, trx: Transaction, id: string, change: RoleChange) {
  const { user_id, role_after } = change
  const at = now()
  const members = await organizations.findMembers(trx, id)
  const role_before = members.find((member) => member.user_id === user_id)?.role ?? null
  if (role_after) {
    const member = { organization_id: id, user_id, created_at: at, role: role_after }
    await organizations.putMember(trx, member)
  } else await organizations.removeMember(trx, id, user_id)
  await organizations.deleteChangesBefore(trx, id, rules.startOfRetention(at))
  await organizations.insertChange(trx, {
    organization_id: id,
    user_id,
    changed_by: change.changed_by,
    role_before,
    role_after,
    changed_at: at,
  })
}

export function auditMember(
  { audit }: Deps,
  trx: Transaction,
  actor_id: string | null,
  id: string,
  user_id: string,
  details: { role: string; reason?: string | undefined },
) {
  return audit.writeEntry(trx, 'organization.member_changed', {
    actor_id,
    subject_id: user_id,
    details: { organization_id: id, ...details },
  })
}

export async function announceLostRights(
  { whenLowered }: Deps,
  trx: Transaction,
  id: string,
  user_id: string,
) {
  for (const action of whenLowered) await action(trx, user_id, id)
}

/** Emails the owners as they were before the change, so that a removed owner learns of it too. */
async function mailOwners(
  { accounts }: Deps,
  trx: Transaction,
  id: string,
  change: { before: Member[]; user_id: string; role: MemberRole | undefined; actor_id: string },
) {
  const { before, user_id, role, actor_id } = change
  const organization = await loadOrganizationToChange(trx, id)
  const [subject] = await accounts.findAccounts(trx, [user_id])
  const sentence = rules.memberSentence(organization.name, subject?.email ?? user_id, role)
  const title = 'The members of your organization changed'
  const role_before = before.find((member) => member.user_id === user_id)?.role
  const about = { told: 'member', organization_id: id, member_id: user_id } as const
  const owners = before.filter((member) => member.role === 'OrgOwner')
  const owner_ids = owners.map((owner) => owner.user_id)
  for (const user of await accounts.findAccounts(trx, owner_ids)) {
    // Only the email to the acting owner can revert it: an intruder may have used that account.
    if (user.id !== actor_id) await accounts.notifyAccount(trx, user, title, sentence)
    else
      await accounts.notifyOwner(trx, user, title, sentence, {
        ...about,
        role_before,
        role_after: role,
      })
  }
}
