import { refusal, refusalIn } from '../../platform/errors.ts'
import { quote } from '../../platform/mail/quote.ts'
import type { MemberRole } from '../access/index.ts'

/** Somebody must be left who can let others in. */
export function assertOwnerStays(
  members: readonly { user_id: string; role: MemberRole }[],
  user_id: string,
  role: MemberRole | undefined,
): void {
  const owners = members.filter((member) => member.role === 'OrgOwner')
  const isLast = owners.length === 1 && owners[0]?.user_id === user_id
  if (isLast && role !== 'OrgOwner') throw lastOwner()
}

/** What its owners read. */
export const memberSentence = (
  organization: string,
  member: string,
  role: MemberRole | undefined,
): string =>
  role
    ? `In the organization ${quote(organization)}, ${member} is ${role} now.`
    : `${member} is not a member of the organization ${quote(organization)} any more.`

export const unknownOrganization = () =>
  refusal('not_found', 'unknown_organization', 'There is no such organization.')

export const unknownMember = () =>
  refusal('not_found', 'unknown_member', 'This user is not a member of the organization.')

export const pathTaken = () =>
  refusalIn('partner_path', 'refused', 'uniqueness', 'Another organization has this partner path.')

const lastOwner = () =>
  refusal('refused', 'last_owner', 'An organization keeps at least one owner. Make another first.')
