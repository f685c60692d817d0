import { type Static, Type } from 'typebox'
import { Nullable, OptionalReason, Timestamp } from '../../../platform/http/schemas.ts'

/** The lengths of everything are bounded here; what a link may be is decided by the rules. */
const Link = (description: string) => Type.String({ maxLength: 2_048, description })
const Currency = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9:._-]{0,31}$',
  description: 'A ticker or tag that is known here, such as BTC or 0x1003',
})

export const PartnerParams = Type.Object({
  id: Type.String({ minLength: 1, description: 'Partner path or uuid' }),
})

export const NewBranding = Type.Object({
  currencies: Type.Array(Currency, { maxItems: 200, uniqueItems: true }),
  return_link: Link('https, http on loopback, or the scheme of an app; used byte for byte'),
  logo: Type.Optional(Link('Address of a picture; the same holds for the other two')),
  logo_small: Type.Optional(Link('The same, small')),
  logo_thumbnail: Type.Optional(Link('The same, smallest')),
  requires_email: Type.Optional(Type.Boolean()),
  reason: OptionalReason,
})
export type NewBranding = Static<typeof NewBranding>

export const Branding = Type.Object({
  organization_id: Type.String({ format: 'uuid' }),
  name: Type.String({ description: 'Of the organization' }),
  currencies: Type.Array(Type.String()),
  requires_email: Type.Boolean(),
  client_fee_percent: Type.Optional(
    Type.Integer({ description: 'What is added to the price of ids that are bought through it' }),
  ),
  return_link: Type.String(),
  logo: Nullable(Type.String()),
  logo_small: Nullable(Type.String()),
  logo_thumbnail: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Branding = Static<typeof Branding>
