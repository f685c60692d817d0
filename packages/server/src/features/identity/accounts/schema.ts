import { type Static, type TStringOptions, Type } from 'typebox'
import { Nullable, ReasonText, Timestamp } from '../../../platform/http/schemas.ts'
import { ProviderName, RoleName } from '../../operations/access/index.ts'

export const Pubkey = Type.String({ pattern: '^[0-9a-fA-F]{64}$' })

/** Members of a request may be null where they may be absent. */
const Given = (options: TStringOptions = {}) => Type.Optional(Nullable(Type.String(options)))
export const Name = () => Given({ maxLength: 100 })

export const Registration = Type.Object(
  {
    email: Given(),
    password: Given(),
    alternate_id: Given({ maxLength: 255 }),
    source: Name(),
    first_name: Name(),
    last_name: Name(),
    partner_conversion_id: Given({ maxLength: 255 }),
    activate: Type.Optional(
      Nullable(
        Type.Boolean({
          description:
            'The address counts as confirmed, and its mailbox is told. Takes effect with user:activate; needs a fresh second factor then',
        }),
      ),
    ),
    activation_source: Name(),
    reason: Type.Optional(Nullable(ReasonText)),
    g_recaptcha_response: Given(),
  },
  { description: 'email, email and password, or alternate_id, password and source' },
)
export type Registration = Static<typeof Registration>

export const AccountChange = Type.Object({
  current_password: Given(),
  email: Given({ description: 'Becomes the address once its mailbox confirms it' }),
  first_name: Name(),
  last_name: Name(),
  password: Given(),
})
export type AccountChange = Static<typeof AccountChange>

export const DisplayUser = Type.Object({
  id: Type.String({ format: 'uuid' }),
  created_at: Timestamp,
  updated_at: Timestamp,
  free_limit: Type.Integer(),
  remaining_free_emoji: Type.Integer({
    description: 'Ids that may still be free; none is while FREE_CEILING_CENTS is 0',
  }),
  pubkeys: Type.Array(Pubkey),
  role: RoleName,
  two_factor_should_prompt: Type.Boolean(),
  alternate_id: Nullable(Type.String()),
  email: Nullable(Type.String()),
  first_name: Nullable(Type.String()),
  last_name: Nullable(Type.String()),
  source: Nullable(Type.String()),
  deactivated_at: Nullable(Timestamp),
  email_verified_at: Nullable(Timestamp),
  two_factor_last_prompted_at: Nullable(Timestamp),
  two_factor_auth: Nullable(Type.Array(ProviderName)),
})
export type DisplayUser = Static<typeof DisplayUser>
