import { textLengths } from '@emojid/core'
import { type Static, Type } from 'typebox'
import { pagingQuery } from '../../../platform/http/api/paging.ts'
import {
  Nullable,
  OptionalReason,
  SearchText,
  ShownName,
  Timestamp,
} from '../../../platform/http/api/schemas.ts'
import { MemberRoleName } from '../../operations/access/access.ts'

const PartnerPath = Type.String({
  pattern: '^([a-z0-9][a-z0-9-]{1,39})?$',
  description: 'The part of partner page URLs that names the organization; empty for none',
})
const Uuid = Type.String({ format: 'uuid' })

/** Null: an operator added the member, who has not accepted. */
const AcceptedAt = Nullable(Timestamp)
/** Null for an owner whom another member promoted, and who has not accepted the role. */
const OwnerAcceptedAt = Nullable(Timestamp)

export const Organization = Type.Object({
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
  Type.Object({
    ...Organization.properties,
    role: MemberRoleName,
    accepted_at: AcceptedAt,
    owner_accepted_at: OwnerAcceptedAt,
  }),
)
export const AcceptedRole = Type.Object({ role: MemberRoleName })
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
  user_id: Type.String({
    format: 'uuid',
    description: 'The account id; for a member who has not accepted an id for this list only',
  }),
  email: Nullable(Type.String({ description: 'Null also for a member who has not accepted' })),
  role: MemberRoleName,
  created_at: Timestamp,
  accepted_at: AcceptedAt,
  owner_accepted_at: OwnerAcceptedAt,
})
export const MemberList = Type.Array(Member)

export const NewInvitation = Type.Object({
  email: Type.String(textLengths.email),
  role: MemberRoleName,
  reason: OptionalReason,
})
export type NewInvitation = Static<typeof NewInvitation>
export const InvitationParams = Type.Object({ id: Uuid, invitation_id: Uuid })
export const OwnInvitationParams = Type.Object({ invitation_id: Uuid })
export const Invitation = Type.Object({
  id: Uuid,
  email: Type.String(),
  role: MemberRoleName,
  created_at: Timestamp,
  expires_at: Timestamp,
})
export const InvitationList = Type.Array(Invitation)
const { email: _, ...ofOwnInvitation } = Invitation.properties
export const OwnInvitationList = Type.Array(
  Type.Object({
    ...ofOwnInvitation,
    organization: Type.Object({ id: Uuid, name: Type.String() }),
  }),
)
