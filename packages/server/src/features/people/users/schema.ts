import { globalRoles } from '@emojid/core'
import { type Static, Type } from 'typebox'
import { pagingQuery } from '../../../platform/http/api/paging.ts'
import {
  Nullable,
  OneOf,
  OptionalReason,
  ReasonText,
  SearchText,
  Timestamp,
} from '../../../platform/http/api/schemas.ts'
import { AccountChange, activationSource, DisplayUser } from '../../identity/accounts/accounts.ts'
import { RoleName } from '../../operations/access/access.ts'

export const AdminChange = Type.Object({
  ...AccountChange.properties,
  activation_source: activationSource(),
  free_limit: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000 }))),
  role: Type.Optional(Nullable(RoleName)),
  reason: Type.Optional(Nullable(ReasonText)),
})
export type AdminChange = Static<typeof AdminChange>

export const ExtendedUser = Type.Object({
  ...DisplayUser.properties,
  emoji_ids: Type.Array(Type.String()),
})

export const OneUser = Type.Object({
  ...ExtendedUser.properties,
  deleted_at: Type.Optional(Nullable(Timestamp)),
  is_removed: Type.Optional(
    Type.Boolean({
      description: 'An operator deactivated the account: the person can’t get ids with another one',
    }),
  ),
  activation_source: Type.Optional(
    Nullable(
      Type.String({ description: 'Where the account was activated, as an operator set it' }),
    ),
  ),
  second_factor_recovery: Type.Optional(
    Nullable(
      Type.Object(
        { asked_at: Timestamp, ends_at: Timestamp },
        {
          description:
            'A second factor that is about to be removed; a sign-in with a code cancels that',
        },
      ),
    ),
  ),
})

export const Deactivation = Type.Object({
  reason: ReasonText,
  suspend_ids: Type.Optional(
    Type.Boolean({ description: 'Suspends the ids of the user; true unless it is false' }),
  ),
})
export type Deactivation = Static<typeof Deactivation>

export const Activation = Type.Object({
  reason: ReasonText,
  restore_ids: Type.Optional(
    Type.Boolean({
      description: 'Restores ids that were suspended with the account; true unless it is false',
    }),
  ),
})
export type Activation = Static<typeof Activation>

const userSorts = ['created_at', 'updated_at', 'email'] as const
export const UserQuery = Type.Object({
  ...pagingQuery(userSorts, { sort: 'created_at', dir: 'Desc' }).properties,
  q: SearchText('Part of an email address, a name or an alternate id; or the id of a user'),
  role: Type.Optional(OneOf(globalRoles)),
  emoji_id: Type.Optional(
    Type.String({ description: 'Only the account that owns this emoji id, in any spelling' }),
  ),
})
export type UserQuery = Static<typeof UserQuery>

export const Feature = Type.Object({ id: Type.String({ format: 'uuid' }), code: Type.String() })
export const FeatureList = Type.Array(Feature)
export const FeatureChange = Type.Object({
  codes: Type.Array(Type.String({ pattern: '^[a-z0-9_.-]{1,60}$' }), { maxItems: 100 }),
  reason: OptionalReason,
})
export type FeatureChange = Static<typeof FeatureChange>
