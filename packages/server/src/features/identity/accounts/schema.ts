import { textLengths } from '@emojid/core'
import { type Static, type TStringOptions, Type } from 'typebox'
import { Hex32, Nullable, ReasonText, Timestamp } from '../../../platform/http/api/schemas.ts'
import { ProviderName, RoleName } from '../../operations/access/access.ts'

/** An optional member may also be null. */
const OptionalText = (options: TStringOptions = {}) => Type.Optional(Nullable(Type.String(options)))
const Name = () => OptionalText(textLengths.name)

export const activationSource = () =>
  OptionalText({
    maxLength: 100,
    description:
      'Where the account was activated, such as the name of a shop or a campaign. Operators see it at the account. A registration needs user:activate to set it, and ignores it otherwise',
  })

export const Registration = Type.Object(
  {
    email: OptionalText(),
    password: OptionalText(),
    alternate_id: OptionalText({ maxLength: 255 }),
    source: Name(),
    first_name: Name(),
    last_name: Name(),
    partner_conversion_id: OptionalText({ maxLength: 255 }),
    activate: Type.Optional(
      Nullable(
        Type.Boolean({
          description:
            'Confirms the address without an emailed link and notifies the mailbox. Requires user:activate and a fresh second factor; ignored without the scope',
        }),
      ),
    ),
    activation_source: activationSource(),
    reason: Type.Optional(Nullable(ReasonText)),
    g_recaptcha_response: OptionalText(),
  },
  { description: 'email, email and password, or alternate_id, password and source' },
)
export type Registration = Static<typeof Registration>

export const AccountChange = Type.Object({
  current_password: OptionalText(),
  email: OptionalText({
    description:
      'Takes effect once the link in that mailbox is opened. The link of a first address signs in, and revokes all earlier access with the password',
  }),
  first_name: Name(),
  last_name: Name(),
  password: OptionalText(),
  redirect: OptionalText({
    maxLength: 1_000,
    description: 'With a first email address: the page of our web site to continue at',
  }),
})
export type AccountChange = Static<typeof AccountChange>

export const DisplayUser = Type.Object({
  id: Type.String({ format: 'uuid' }),
  created_at: Timestamp,
  updated_at: Timestamp,
  free_limit: Type.Integer({
    description: 'Free ids of the account; 0 while nothing is free (FREE_CEILING_CENTS is 0)',
  }),
  remaining_free_emoji: Type.Integer({
    description: 'Free ids that are left',
  }),
  pubkeys: Type.Array(Hex32),
  role: RoleName,
  two_factor_should_prompt: Type.Boolean(),
  alternate_id: Nullable(Type.String()),
  email: Nullable(Type.String()),
  pending_email: Type.Optional(
    Nullable(
      Type.String({
        description:
          'A new address that waits for its confirmation. Only in answers about one account',
      }),
    ),
  ),
  former_emails: Type.Optional(
    Type.Array(Type.Object({ email: Type.String(), until: Timestamp }), {
      description:
        'Former addresses that get security notices too and can take the change back. Until then, ids cannot leave the account. Only in answers about one account',
    }),
  ),
  first_name: Nullable(Type.String()),
  last_name: Nullable(Type.String()),
  source: Nullable(Type.String()),
  deactivated_at: Nullable(Timestamp),
  email_verified_at: Nullable(Timestamp),
  two_factor_last_prompted_at: Nullable(Timestamp),
  two_factor_auth: Nullable(Type.Array(ProviderName)),
})
export type DisplayUser = Static<typeof DisplayUser>
