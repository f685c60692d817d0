import type { Generated } from 'kysely'
import type { MemberRole } from '../access/index.ts'

export type OrganizationsTable = {
  id: Generated<string>
  name: string
  /** The short name in the addresses of its partner pages. */
  partner_path: string | null
  /** What it adds to the price of ids bought through it. */
  client_fee_percent: Generated<number>
  created_at: Date
  updated_at: Date
}

export type OrganizationMembersTable = {
  organization_id: string
  user_id: string
  role: MemberRole
  created_at: Date
}
