import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { holdCaller, type MemberRole, type Principal } from '../../operations/access/access.ts'
import { assertMayInOrganization, mayWriteIds } from './check-access.ts'
import { notifyOwners } from './notify-owners.ts'
import type { Deps } from './organizations.ts'
import { loadOrganizationToChange, shownMembers } from './read-organizations.ts'
import * as organizations from './repository.ts'
import * as rules from './rules.ts'
import type { MemberBody } from './schema.ts'

type Member = Awaited<ReturnType<typeof organizations.findMembers>>[number]

/** Adds the owner of a demonstration organization. */
export async function addMember(
  deps: Deps,
  trx: Transaction,
  id: string,
  user_id: string,
  role: MemberRole,
) {
  const accepted = acceptedNow(role, deps.now())
  await changeRole(deps, trx, id, { user_id, role_after: role, changed_by: null, ...accepted })
  await auditMember(deps, trx, null, id, user_id, { role })
}

export async function leaveOrganizations(deps: Deps, trx: Transaction, user_id: string) {
  for (const { id, role } of await organizations.findOfUser(trx, user_id)) {
    if (role === 'OrgOwner') {
      await loadOrganizationToChange(trx, id)
      rules.assertOwnerStays(await organizations.findMembers(trx, id), user_id, undefined)
    }
  }
  await organizations.removeUser(trx, user_id)
  await organizations.endInvitations(trx, { invited_by: user_id, at: deps.now() })
  await organizations.deleteInvitationsOf(trx, user_id)
}

/**
 * Changes the role of a member. Only operators add a person who did not accept an invitation: an
 * organization could otherwise learn whom an account id belongs to.
 */
export async function putMember(
  deps: Deps,
  caller: Principal,
  id: string,
  named_id: string,
  { role, reason }: MemberBody,
) {
  const { db, accounts, removals } = deps
  assertMayInOrganization(caller, id, 'organizationUser:admin')
  const mayAdd = caller.scopes.has('organization:admin')
  return transact(db, async (trx) => {
    const known = findShown(deps, caller, id, await organizations.findMembers(trx, id), named_id)
    if (!known && !mayAdd) throw rules.unknownMember()
    const user_id = known?.user_id ?? named_id
    // Lock the user first, as the deletion of a user does: another order would deadlock.
    const user = await accounts.loadAccountToChange(trx, user_id)
    await holdCaller(trx, caller)
    if (mayWriteIds(role)) {
      if (await removals.isRemoved(trx, user)) throw rules.barredMember()
      await accounts.assertSettledMailbox(trx, caller.user_id)
    }
    const { name } = await loadOrganizationToChange(trx, id)
    const before = await organizations.findMembers(trx, id)
    const isMember = before.some((member) => member.user_id === user_id)
    if (!isMember && !mayAdd) throw rules.unknownMember()
    rules.assertOwnerStays(before, user_id, role)
    const actor_id = caller.user_id
    await changeRole(deps, trx, id, {
      user_id,
      role_after: role,
      changed_by: actor_id,
      ...(actor_id === user_id ? acceptedNow(role, deps.now()) : {}),
    })
    await auditMember(deps, trx, actor_id, id, user_id, { role, reason })
    await mailOwners(deps, trx, id, { before, user_id, role, actor_id })
    if (!isMember && actor_id !== user_id) {
      const { title, sentence } = rules.placementNotice(name, role)
      await accounts.notifyAccount(trx, user, title, sentence, rules.membershipsPage)
    }
    if (!mayWriteIds(role)) await announceLostRights(deps, trx, id, user_id)
    return shownMembers(deps, caller, id, await organizations.findMembers(trx, id))
  })
}

export async function removeMember(
  deps: Deps,
  caller: Principal,
  id: string,
  named_id: string,
  reason?: string,
): Promise<void> {
  const { db } = deps
  assertMayInOrganization(caller, id, 'organizationUser:admin')
  await transact(db, async (trx) => {
    await holdCaller(trx, caller)
    await loadOrganizationToChange(trx, id)
    const before = await organizations.findMembers(trx, id)
    const member = findShown(deps, caller, id, before, named_id)
    if (!member) throw rules.unknownMember()
    await endMembership(deps, trx, id, before, { member, actor_id: caller.user_id, reason })
  })
}

/** Every member can leave, except the last owner who accepted. */
export async function leaveOrganization(deps: Deps, caller: Principal, id: string): Promise<void> {
  const { db, accounts } = deps
  const actor_id = caller.user_id
  await transact(db, async (trx) => {
    await accounts.loadCaller(trx, caller)
    const { before, member } = await loadMembership(trx, id, actor_id)
    await endMembership(deps, trx, id, before, { member, actor_id })
  })
}

/** The caller accepts a membership in which an operator placed them, or the role of owner. */
export async function acceptMembership(
  deps: Deps,
  caller: Principal,
  id: string,
  shownRole: MemberRole,
) {
  const { db, accounts, audit, now } = deps
  const { user_id } = caller
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const { name, member } = await loadMembership(trx, id, user_id)
    const { role } = member
    if (role !== shownRole) throw rules.changedRole(role)
    if (!member.accepted_at || (role === 'OrgOwner' && !member.owner_accepted_at)) {
      const { created_at } = member
      const accepted = acceptedNow(role, now())
      const row = { organization_id: id, user_id, role, created_at, ...accepted }
      await organizations.putMember(trx, row)
      const details = { organization_id: id, role }
      await audit.writeEntry(trx, 'organization.member_accepted', { actor_id: user_id, details })
      const sentence = rules.memberSentence(name, user.email ?? user_id, role)
      await notifyOwners(deps, trx, id, rules.membersChanged, sentence)
    }
    return organizations.findOfUser(trx, user_id)
  })
}

/** Refuses alike whether the organization does not exist or the user is no member. */
async function loadMembership(trx: Transaction, id: string, user_id: string) {
  const organization = await organizations.findToChange(trx, id)
  const before = organization ? await organizations.findMembers(trx, id) : []
  const member = before.find((one) => one.user_id === user_id)
  if (!organization || !member) throw rules.unknownMember()
  return { name: organization.name, before, member }
}

/** The member whom the caller knows by this id; see `shownMembers`. */
function findShown(
  deps: Deps,
  caller: Principal,
  id: string,
  members: readonly Member[],
  named_id: string,
): Member | undefined {
  const place = shownMembers(deps, caller, id, members).findIndex(
    ({ user_id }) => user_id === named_id,
  )
  return members[place]
}

type End = { member: Member; actor_id: string; reason?: string | undefined }

async function endMembership(
  deps: Deps,
  trx: Transaction,
  id: string,
  before: Member[],
  { member: { user_id }, actor_id, reason }: End,
) {
  rules.assertOwnerStays(before, user_id, undefined)
  await changeRole(deps, trx, id, { user_id, role_after: null, changed_by: actor_id })
  await announceLostRights(deps, trx, id, user_id)
  await auditMember(deps, trx, actor_id, id, user_id, { role: 'none', reason })
  await mailOwners(deps, trx, id, { before, user_id, role: undefined, actor_id })
}

type RoleChange = {
  user_id: string
  role_after: MemberRole | null
  changed_by: string | null
  /** When the person accepted, if they did so with this change or before the one it reverts. */
  accepted_at?: Date | null
  owner_accepted_at?: Date | null
}

/** The acceptance of this role by the member. */
export const acceptedNow = (role: MemberRole, at: Date) => ({
  accepted_at: at,
  owner_accepted_at: role === 'OrgOwner' ? at : null,
})

/** Changes or removes a member and records the former role. */
export async function changeRole({ now }: Deps, trx: Transaction, id: string, change: RoleChange) {
  const { user_id, role_after, accepted_at = null } = change
  const at = now()
  const members = await organizations.findMembers(trx, id)
  const former = members.find((member) => member.user_id === user_id)
  if (role_after) {
    // Another person's change of the role ends an acceptance, and never makes one.
    const acceptedBefore = role_after === 'OrgOwner' ? former?.owner_accepted_at : null
    const owner_accepted_at = change.owner_accepted_at ?? acceptedBefore ?? null
    const accepted = { accepted_at, owner_accepted_at }
    const member = { organization_id: id, user_id, created_at: at, role: role_after, ...accepted }
    await organizations.putMember(trx, member)
  } else await organizations.removeMember(trx, id, user_id)
  // Owners alone may invite.
  if (role_after !== 'OrgOwner')
    await organizations.endInvitations(trx, { invited_by: user_id, organization_id: id, at })
  await organizations.deleteChangesBefore(trx, id, rules.startOfRetention(at))
  await organizations.insertChange(trx, {
    organization_id: id,
    user_id,
    changed_by: change.changed_by,
    role_before: former?.role ?? null,
    role_after,
    accepted_at: former?.accepted_at ?? null,
    owner_accepted_at: former?.owner_accepted_at ?? null,
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

/**
 * Emails the owners as they were before the change, so that a removed owner learns of it too, and a
 * member whose role changes or who leaves. Names only a member who accepted.
 */
export async function mailOwners(
  { accounts }: Deps,
  trx: Transaction,
  id: string,
  change: { before: Member[]; user_id: string; role: MemberRole | undefined; actor_id: string },
) {
  const { before, user_id, role, actor_id } = change
  const { name } = await loadOrganizationToChange(trx, id)
  const [subject] = await accounts.findAccounts(trx, [user_id])
  const after = await organizations.findMembers(trx, id)
  const isSubject = (member: Member) => member.user_id === user_id
  const former = before.find(isSubject)
  const member = after.find(isSubject) ?? former
  const hasAccepted = Boolean(member?.accepted_at)
  const about = { event: 'member', organization_id: id, member_id: user_id } as const
  const readers = before.filter(
    (member) =>
      member.role === 'OrgOwner' ||
      (isSubject(member) && (user_id !== actor_id || member.accepted_at)),
  )
  const reader_ids = readers.map((reader) => reader.user_id)
  for (const user of await accounts.findAccounts(trx, reader_ids)) {
    const isNamed = hasAccepted || user.id === user_id
    const person = isNamed ? (subject?.email ?? user_id) : rules.placedPerson
    const sentence = rules.memberSentence(name, person, role)
    // Only the email to the acting member can revert it: an intruder may have used that account.
    if (user.id !== actor_id) {
      const isAsked = user.id === user_id && role === 'OrgOwner' && !member?.owner_accepted_at
      const text = isAsked ? `${sentence} ${rules.ownerNotice}` : sentence
      await accounts.notifyAccount(trx, user, rules.membersChanged, text, rules.membershipsPage)
    } else await accounts.notifyOwner(trx, user, rules.membersChanged, sentence, about)
  }
}
