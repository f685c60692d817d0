import { memberRoles } from '@emojid/core'
import { duplicate, refusal, refusalIn } from '../../../platform/errors.ts'
import type { Letter } from '../../../platform/mail/letter.ts'
import { quote } from '../../../platform/mail/quote.ts'
import { dayMs } from '../../../platform/time.ts'
import type { MemberRole } from '../../operations/access/access.ts'

/**
 * An organization must keep an owner, who can invite members. A deactivated one cannot, and one who
 * never accepted to be owner owes the organization nothing.
 */
export function assertOwnerStays(
  members: readonly {
    user_id: string
    role: MemberRole
    deactivated_at: Date | null
    owner_accepted_at: Date | null
  }[],
  user_id: string,
  role: MemberRole | undefined,
): void {
  const owners = members.filter((member) => member.role === 'OrgOwner' && member.owner_accepted_at)
  const own = owners.find((owner) => owner.user_id === user_id)
  if (!own || role === 'OrgOwner') return
  const others = owners.filter((owner) => owner !== own)
  const canStay = others.some((owner) => own.deactivated_at || !owner.deactivated_at)
  if (!canStay) throw lastOwner()
}

/** Changes are kept longer than the links that revert them. */
export const startOfRetention = (now: Date): Date => new Date(now.getTime() - 4 * dayMs)

type MemberChange = {
  user_id: string
  changed_by: string | null
  role_before: MemberRole | null
  role_after: MemberRole | null
  accepted_at: Date | null
  owner_accepted_at: Date | null
}

const rank = (role: MemberRole | null): number => (role ? memberRoles.indexOf(role) : -1)

/**
 * The former roles to restore when a reader disavows the change of a member. Reverts:
 * - for the named member, this change, and later ones by suspects;
 * - for the reader, a loss of rights by suspects, which are the account of the reader and the owners
 *   whom it added, as the account may have been in other hands;
 * - for other members, the changes by the named member and by owners whom this member added.
 * Skips members whom another owner changed since. `changes` are oldest first and begin with the
 * disavowed one.
 */
export function changesToRevert(
  changes: readonly MemberChange[],
  roles: ReadonlyMap<string, MemberRole>,
  { member_id, user_id: reader }: { member_id: string; user_id: string },
): MemberChange[] {
  const suspects = new Set([reader])
  const intruders = new Set<string>()
  const reverts = new Map<string, { first: MemberChange; last: MemberChange }>()
  for (const change of changes) {
    const { user_id, changed_by, role_after } = change
    const isBySuspect = changed_by !== null && suspects.has(changed_by)
    const isByIntruder = changed_by !== null && intruders.has(changed_by)
    const isOfNotice = user_id === reader || user_id === member_id
    if (isOfNotice ? isBySuspect : isByIntruder)
      reverts.set(user_id, { first: reverts.get(user_id)?.first ?? change, last: change })
    else reverts.delete(user_id)
    if (role_after === 'OrgOwner' && user_id !== reader) {
      if (isBySuspect) suspects.add(user_id)
      if (isByIntruder || (isBySuspect && user_id === member_id)) intruders.add(user_id)
    }
  }
  return [...reverts.values()]
    .filter(({ first, last }) => {
      const role = roles.get(first.user_id) ?? null
      if (role !== last.role_after) return false
      const gain = rank(first.role_before) - rank(role)
      // An earlier link may have reverted more than this one would.
      if (first.user_id === reader) return gain > 0
      return (
        first.user_id !== member_id || gain * (rank(first.role_after) - rank(first.role_before)) < 0
      )
    })
    .map(({ first }) => first)
}

/** Whether a role has fewer rights than the current one. */
export const isLower = (role: MemberRole, current: MemberRole | undefined): boolean =>
  current !== undefined && memberRoles.indexOf(role) < memberRoles.indexOf(current)

/** An invitation expires after this time, and counts towards the limit of its organization. */
const invitationDays = 7
const invitedAtMost = 50
/** Fewer than a mailbox gets from all organizations: one must not use up the share of the others. */
const invitedAgainAtMost = 5
export const endOfInvitation = (now: Date): Date => new Date(now.getTime() + invitationDays * dayMs)
export const startOfInvitations = (now: Date): Date =>
  new Date(now.getTime() - (invitationDays + 1) * dayMs)
export const startOfInvitationLimit = (now: Date): Date => new Date(now.getTime() - dayMs)

/** To a mailbox with an account or without: the email is the same. */
export const organizationInvitation = ({
  organization,
  role,
  link,
}: {
  organization: string
  role: MemberRole
  link: string
}): Letter => ({
  subject: 'You are invited to an organization',
  before: `The organization ${quote(organization)} invites you to join it as ${roleNames[role]}. If you accept, it sees your email address, your account id and what you do for it. Sign in with this address to accept or decline within ${invitationDays} days. If you have no account yet, create one with this address first.`,
  link: { label: 'See the invitation', url: link },
  after:
    'If you don’t know this organization, ignore this email. It doesn’t learn whether you have an account.',
})

export function assertMayInvite({ all, toMailbox }: { all: number; toMailbox: number }): void {
  if (all >= invitedAtMost || toMailbox >= invitedAgainAtMost) throw tooManyInvitations()
}

/** The organization knows the addresses of members who accepted, and no others. */
export function assertNoMember(
  members: readonly { email: string | null; accepted_at: Date | null }[],
  email: string,
): void {
  const isMember = members.some(
    (member) => member.accepted_at && member.email?.toLowerCase() === email.toLowerCase(),
  )
  if (isMember)
    throw duplicate('email', 'This person is a member already. Change their role instead.')
}

export const membershipsPage = '/account/organizations'
export const membersChanged = 'The members of your organization changed'
/** A member who did not accept. */
export const placedPerson = 'a person whom our team added'

const roleNames: Record<MemberRole, string> = {
  OrgMember: 'member',
  OrgController: 'controller',
  OrgOwner: 'owner',
}

export const invitationSentence = (organization: string, email: string, role: MemberRole): string =>
  `${email} was invited to the organization ${quote(organization)} as ${roleNames[role]}.`

/** To a person whom an operator placed in an organization. */
export const placementNotice = (organization: string, role: MemberRole) => ({
  title: 'You were added to an organization',
  sentence: `Our team added you to the organization ${quote(organization)} as ${roleNames[role]}. It sees neither your email address nor your account id until you accept. You can leave at any time.`,
})

/** To a member whom another person made owner. */
export const ownerNotice =
  'Accept this role on the page Organizations of your account. You can leave at any time until then; the last owner who accepted can’t.'

/** For the email to the owners. */
export const memberSentence = (
  organization: string,
  member: string,
  role: MemberRole | undefined,
): string =>
  role
    ? `In the organization ${quote(organization)}, ${member} now has the role of ${roleNames[role]}.`
    : `In the organization ${quote(organization)}, ${member} is no longer a member.`

export const unknownOrganization = () =>
  refusal('not_found', 'unknown_organization', 'No organization has this id.')

export const unknownMember = () =>
  refusal('not_found', 'unknown_member', 'This user is not a member of the organization.')

export const changedRole = (role: MemberRole) =>
  refusalIn(
    'role',
    'refused',
    'changed_role',
    `You have the role of ${roleNames[role]} now, which differs from the one that you saw. Accept this role, or leave.`,
  )

export const unknownInvitation = () =>
  refusal(
    'not_found',
    'unknown_invitation',
    'This invitation does not exist, or it has ended. Ask the organization for a new one.',
  )

export const tooManyInvitations = () =>
  refusal(
    'limited',
    'too_many_invitations',
    'Too many people were invited today. Try again tomorrow.',
    {
      retry_after_seconds: dayMs / 1_000,
    },
  )

export const takenPath = () =>
  duplicate('partner_path', 'Another organization has this partner path. Choose another one.')

/** Other members do not learn why. */
export const barredMember = () =>
  refusalIn(
    'role',
    'refused',
    'barred_member',
    'This account can’t get a role that manages emoji ids. Its owner can write to our support.',
  )

const lastOwner = () =>
  refusal(
    'refused',
    'last_owner',
    'An organization needs at least one owner. Invite another owner first, who accepts.',
  )
