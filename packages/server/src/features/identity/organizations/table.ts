import type { Generated, GeneratedAlways } from 'kysely'
import type { MemberRole } from '../../operations/access/schema.ts'

export type OrganizationsTable = {
  id: Generated<string>
  name: string
  /** The short name in the URLs of its partner pages. */
  partner_path: string | null
  /** The fee on the price of ids that are bought through the organization. */
  client_fee_percent: Generated<number>
  created_at: Date
  updated_at: Date
}

/** A change that an emailed link can revert; a role is null for a non-member. */
export type OrganizationMemberChangesTable = {
  id: GeneratedAlways<string>
  organization_id: string
  user_id: string
  changed_by: string | null
  role_before: MemberRole | null
  role_after: MemberRole | null
  /** When the former membership and ownership were accepted. */
  accepted_at: Date | null
  owner_accepted_at: Date | null
  changed_at: Date
}

export type OrganizationMembersTable = {
  organization_id: string
  user_id: string
  role: MemberRole
  created_at: Date
  /** Null: an operator placed the member. The organization must not see who that is. */
  accepted_at: Date | null
  /** Null for an owner whom another member promoted. The person may always leave. */
  owner_accepted_at: Date | null
}

/** An invitation to a mailbox. Whether it has an account is unknown to the organization. */
export type OrganizationInvitationsTable = {
  id: Generated<string>
  organization_id: string
  email: string
  role: MemberRole
  invited_by: string
  created_at: Date
  expires_at: Date
  /** Accepted, declined, withdrawn, replaced or void. */
  ended_at: Date | null
  accepted_by: string | null
}
