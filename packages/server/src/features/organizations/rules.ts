import { inField, ServiceError } from '../../platform/errors.ts'
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
  if (isLast && role !== 'OrgOwner') throw new LastOwnerError()
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

export class UnknownOrganizationError extends ServiceError {
  override readonly name = 'Organizations.UnknownOrganizationError'
  constructor() {
    super('not_found', 'unknown_organization', 'There is no such organization.')
  }
}

export class UnknownMemberError extends ServiceError {
  override readonly name = 'Organizations.UnknownMemberError'
  constructor() {
    super('not_found', 'unknown_member', 'This user is not a member of the organization.')
  }
}

export class PathTakenError extends ServiceError {
  override readonly name = 'Organizations.PathTakenError'
  constructor() {
    const message = 'Another organization has this partner path.'
    super('refused', 'uniqueness', message, inField('partner_path', 'uniqueness', message))
  }
}

class LastOwnerError extends ServiceError {
  override readonly name = 'Organizations.LastOwnerError'
  constructor() {
    super('refused', 'last_owner', 'An organization keeps at least one owner. Make another first.')
  }
}
