import { duplicate, refusal } from '../../../platform/errors.ts'
import { quote } from '../../../platform/mail/quote.ts'
import { dayMs } from '../../../platform/time.ts'
import type { MemberRole } from '../../operations/access/index.ts'

/** An organization must keep an owner, who can add members. */
export function assertOwnerStays(
  members: readonly { user_id: string; role: MemberRole }[],
  user_id: string,
  role: MemberRole | undefined,
): void {
  const owners = members.filter((member) => member.role === 'OrgOwner')
  const isLast = owners.length === 1 && owners[0]?.user_id === user_id
  if (isLast && role !== 'OrgOwner') throw lastOwner()
}

/** Changes are kept longer than the links that revert them. */
export const startOfRetention = (now: Date): Date => new Date(now.getTime() - 4 * dayMs)

type MemberChange = {
  user_id: string
  changed_by: string | null
  role_before: MemberRole | null
  role_after: MemberRole | null
}

/**
 * The former roles to restore when a member turns out to be an intruder: reverts the changes by the
 * intruder and by owners whom the intruder added. Skips members whom another owner changed since.
 * `changes` are oldest first.
 */
export function changesToRevert(
  changes: readonly MemberChange[],
  roles: ReadonlyMap<string, MemberRole>,
  { member_id, user_id: reader }: { member_id: string; user_id: string },
): { user_id: string; role: MemberRole | null }[] {
  const intruders = new Set([member_id])
  const before = new Map<string, MemberChange>()
  for (const change of changes) {
    const { user_id, changed_by, role_after } = change
    if (user_id === reader || user_id === member_id) continue
    if (!changed_by || !intruders.has(changed_by)) before.delete(user_id)
    else {
      if (role_after === 'OrgOwner') intruders.add(user_id)
      const first = before.get(user_id)
      before.set(user_id, { ...change, role_before: (first ?? change).role_before })
    }
  }
  return [...before.values()]
    .filter(({ user_id, role_after }) => (roles.get(user_id) ?? null) === role_after)
    .map(({ user_id, role_before }) => ({ user_id, role: role_before }))
}

/** For the mail to the owners. */
export const memberSentence = (
  organization: string,
  member: string,
  role: MemberRole | undefined,
): string =>
  role
    ? `In the organization ${quote(organization)}, ${member} is now ${role}.`
    : `${member} is no longer a member of the organization ${quote(organization)}.`

export const unknownOrganization = () =>
  refusal('not_found', 'unknown_organization', 'No organization has this id.')

export const unknownMember = () =>
  refusal('not_found', 'unknown_member', 'This user is not a member of the organization.')

export const takenPath = () =>
  duplicate('partner_path', 'Another organization has this partner path. Choose another one.')

const lastOwner = () =>
  refusal(
    'refused',
    'last_owner',
    'An organization needs at least one owner. Add another owner first.',
  )
