import { globalRoles, memberRoles } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import { assertMailAddress } from '../../../platform/mail/address.ts'
import type { Database, Transaction } from '../../../tables.ts'
import {
  holdCaller,
  type Principal,
  scopesOfMember,
  scopesOfRole,
} from '../../operations/access/access.ts'
import {
  acceptedNow,
  announceLostRights,
  auditMember,
  changeRole,
  mailOwners,
} from './change-members.ts'
import { assertMayInOrganization, mayWriteIds } from './check-access.ts'
import type { Deps } from './organizations.ts'
import { loadOrganizationToChange } from './read-organizations.ts'
import * as organizations from './repository.ts'
import * as rules from './rules.ts'
import type { NewInvitation } from './schema.ts'

/** The roles whose holders may invite. An invitation is void once its author has none of them. */
const inviters = {
  global: globalRoles.filter((role) => scopesOfRole(role).has('organizationUser:admin')),
  member: memberRoles.filter((role) => scopesOfMember(role).has('organizationUser:admin')),
}

/**
 * Invites a mailbox. Looks up no account: neither the answer nor the time it takes may tell whether
 * the mailbox has one.
 */
export async function inviteMember(
  deps: Deps,
  caller: Principal,
  id: string,
  { email, role, reason }: NewInvitation,
) {
  const { db, accounts, audit, notifications, now, webUrl } = deps
  assertMayInOrganization(caller, id, 'organizationUser:admin')
  assertMailAddress(email, 'email')
  return transact(db, async (trx) => {
    await holdCaller(trx, caller)
    // An accomplice would move the ids of the organization at once.
    if (mayWriteIds(role)) await accounts.assertSettledMailbox(trx, caller.user_id)
    const organization = await loadOrganizationToChange(trx, id)
    rules.assertNoMember(await organizations.findMembers(trx, id), email)
    const at = now()
    await organizations.endInvitations(trx, { organization_id: id, email, at })
    const since = rules.startOfInvitationLimit(at)
    const counted = { organization_id: id, email, since }
    rules.assertMayInvite(await organizations.countInvitations(trx, counted))
    const isWithinLimit = await notifications.countUnconfirmedNotice(trx, email, 'invitation')
    if (!isWithinLimit) throw rules.tooManyInvitations()
    const invitation = await organizations.insertInvitation(trx, {
      organization_id: id,
      email,
      role,
      invited_by: caller.user_id,
      created_at: at,
      expires_at: rules.endOfInvitation(at),
    })
    const details = { organization_id: id, invitation_id: invitation.id, role, reason }
    await audit.writeEntry(trx, 'organization.member_invited', {
      actor_id: caller.user_id,
      details,
    })
    const letter = rules.organizationInvitation({
      organization: organization.name,
      role,
      link: `${webUrl}${rules.membershipsPage}`,
    })
    const news = { kind: 'organization_invitation', silent: true, letter } as const
    await notifications.queueMail(trx, { to: email, ...news })
    await mailOfInvitation(deps, trx, organization, { caller, email, role, id: invitation.id })
    return invitation
  })
}

export async function listInvitations({ db, now }: Deps, caller: Principal, id: string) {
  assertMayInOrganization(caller, id, 'organizationUser:read')
  if (!(await organizations.find(db, id))) throw rules.unknownOrganization()
  return organizations.findInvitations(db, id, { at: now(), inviters })
}

export async function withdrawInvitation(
  { db, audit, now }: Deps,
  caller: Principal,
  organization_id: string,
  id: string,
  reason?: string,
): Promise<void> {
  assertMayInOrganization(caller, organization_id, 'organizationUser:admin')
  await transact(db, async (trx) => {
    await holdCaller(trx, caller)
    const [ended] = await organizations.endInvitations(trx, { id, organization_id, at: now() })
    if (!ended) throw rules.unknownInvitation()
    const details = { organization_id, invitation_id: id, reason }
    await audit.writeEntry(trx, 'organization.invitation_withdrawn', {
      actor_id: caller.user_id,
      details,
    })
  })
}

/** Only a confirmed mailbox shows invitations: the account of another one may be a stranger's. */
export const listOwnInvitations = ({ db, now }: Deps, { user_id }: Principal) =>
  organizations.findInvitationsOfUser(db, user_id, { at: now(), inviters })

export async function acceptInvitation(deps: Deps, caller: Principal, id: string) {
  const { db, accounts, removals, now } = deps
  const { user_id } = caller
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const { organization_id } = (await organizations.findInvitation(trx, id)) ?? {}
    if (!organization_id) throw rules.unknownInvitation()
    await loadOrganizationToChange(trx, organization_id)
    const answer = { id, user_id, at: now(), inviters }
    const invitation = await organizations.answerInvitation(trx, answer, 'accept')
    if (!invitation) throw rules.unknownInvitation()
    const { role, invited_by } = invitation
    if (mayWriteIds(role) && (await removals.isRemoved(trx, user))) throw rules.barredMember()
    const before = await organizations.findMembers(trx, organization_id)
    rules.assertOwnerStays(before, user_id, role)
    // The inviter counts as its author: an owner who disavows an intruder’s invitation reverts it.
    const change = { user_id, role_after: role, changed_by: invited_by }
    await changeRole(deps, trx, organization_id, { ...change, ...acceptedNow(role, now()) })
    await auditMember(deps, trx, user_id, organization_id, user_id, { role })
    await mailOwners(deps, trx, organization_id, { before, user_id, role, actor_id: invited_by })
    if (!mayWriteIds(role)) await announceLostRights(deps, trx, organization_id, user_id)
    return organizations.findOfUser(trx, user_id)
  })
}

export async function declineInvitation(
  { db, accounts, now }: Deps,
  caller: Principal,
  id: string,
): Promise<void> {
  await transact(db, async (trx) => {
    await accounts.loadCaller(trx, caller)
    const answer = { id, user_id: caller.user_id, at: now(), inviters }
    const ended = await organizations.answerInvitation(trx, answer, 'decline')
    if (!ended) throw rules.unknownInvitation()
  })
}

/** An intruder, or a person who lost the right to invite, may have made them. */
export async function endInvitationsBy({ now }: Deps, trx: Transaction, user_id: string) {
  await organizations.endInvitations(trx, { invited_by: user_id, at: now() })
}

export const purgeInvitations = (db: Database, at: Date) =>
  organizations.deleteInvitationsBefore(db, rules.startOfInvitations(at))

type Sent = { caller: Principal; email: string; role: NewInvitation['role']; id: string }

/** The email to the acting owner can end the invitation: an intruder may have used that account. */
async function mailOfInvitation(
  { accounts }: Deps,
  trx: Transaction,
  organization: { id: string; name: string },
  { caller, email, role, id }: Sent,
) {
  const title = 'A person was invited to your organization'
  const sentence = rules.invitationSentence(organization.name, email, role)
  const about = { event: 'member', organization_id: organization.id, invitation_id: id } as const
  const members = await organizations.findActiveMembers(trx, organization.id)
  const owners = members.filter((member) => member.role === 'OrgOwner')
  const owner_ids = owners.map(({ user_id }) => user_id)
  for (const user of await accounts.findAccounts(trx, owner_ids)) {
    if (user.id !== caller.user_id) await accounts.notifyAccount(trx, user, title, sentence)
    else await accounts.notifyOwner(trx, user, title, sentence, about)
  }
}
