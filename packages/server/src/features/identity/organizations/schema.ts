import { type Static, Type } from 'typebox'
import { pageOf, pagingQuery } from '../../../platform/http/paging.ts'
import {
  Nullable,
  OptionalReason,
  SearchText,
  ShownName,
  Timestamp,
} from '../../../platform/http/schemas.ts'
import { MemberRoleName } from '../../operations/access/index.ts'

const PartnerPath = Type.String({
  pattern: '^([a-z0-9][a-z0-9-]{1,39})?$',
  description: 'The part of partner page URLs that names the organization; empty for none',
})
const Uuid = Type.String({ format: 'uuid' })

const Organization = Type.Object({
  id: Uuid,
  name: Type.String(),
  partner_path: Nullable(Type.String()),
  client_fee_percent: Type.Integer({
    description: 'The fee on the price of ids that are bought through the organization',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export const OrganizationWithKey = Type.Object({
  ...Organization.properties,
  pubkey: Nullable(
    Type.String({
      description:
        'The public key that transfers to the organization name; null for an older organization until its first id or change',
    }),
  ),
})
export const OwnOrganizations = Type.Array(
  Type.Object({ ...Organization.properties, role: MemberRoleName }),
)
export const OrganizationPage = pageOf(Organization)
export const OrganizationQuery = Type.Object({
  ...pagingQuery(['created_at', 'name'], { sort: 'created_at', dir: 'Desc' }).properties,
  q: SearchText('Part of a name or partner path, or the id of an organization'),
})
export type OrganizationQuery = Static<typeof OrganizationQuery>

export const NewOrganization = Type.Object({
  name: ShownName,
  partner_path: Type.Optional(Nullable(PartnerPath)),
  client_fee_percent: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  reason: OptionalReason,
})
export type NewOrganization = Static<typeof NewOrganization>
export const OrganizationChange = Type.Partial(NewOrganization)
export type OrganizationChange = Static<typeof OrganizationChange>

export const OrganizationParams = Type.Object({ id: Uuid })
export const MemberParams = Type.Object({ id: Uuid, user_id: Uuid })
export const MemberBody = Type.Object({ role: MemberRoleName, reason: OptionalReason })
export type MemberBody = Static<typeof MemberBody>
const Member = Type.Object({
  user_id: Uuid,
  email: Nullable(Type.String()),
  role: MemberRoleName,
  created_at: Timestamp,
})
export const MemberList = Type.Array(Member)
