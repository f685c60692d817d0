import { clearableLimits, shapeNames, textLengths } from '@emojid/core'
import { type Static, Type } from 'typebox'
import { pagingQuery } from '../../../platform/http/api/paging.ts'
import {
  Hex32,
  Nullable,
  OneOf,
  OptionalReason,
  SearchText,
  Timestamp,
} from '../../../platform/http/api/schemas.ts'
import { IdLength } from '../../directory/emoji-ids/emoji-ids.ts'

const Uuid = Type.String({ format: 'uuid' })
const CodeType = OneOf(['Discount', 'RandomYat'] as const)
const Activator = OneOf(['RedemptionCode', 'SecretKey'] as const)
const Count = (description?: string) =>
  Type.Integer({ minimum: 1, maximum: 1_000_000_000, ...(description ? { description } : {}) })
const Score = Type.Integer({ minimum: 1, maximum: 100 })
const Moment = Type.String({ format: 'date-time' })

const Pattern = Type.Object(
  {
    min_length: Type.Optional(IdLength),
    max_length: Type.Optional(IdLength),
    min_score: Type.Optional(Score),
    max_score: Type.Optional(Score),
    shapes: Type.Optional(
      Type.Array(OneOf(shapeNames), { minItems: 1, description: 'The id has one of these shapes' }),
    ),
    emojis: Type.Optional(
      Type.Array(Type.String({ maxLength: 20 }), {
        minItems: 1,
        maxItems: 1_000,
        description: 'The id consists of these emojis only',
      }),
    ),
  },
  {
    // A misspelled restriction must not be dropped.
    additionalProperties: false,
    description: 'Restricts the code to ids that match every member',
  },
)

const terms = {
  redemption_code: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{4,64}$',
      description:
        'The text that buyers type, case-insensitive; for the activator RedemptionCode. A new code without it gets a random one',
    }),
  ),
  discount_as_percentage: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  discount_in_cents: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
  start_date: Type.Optional(Moment),
  end_date: Type.Optional(Moment),
  max_uses: Type.Optional(Count()),
  max_emojis_per_user: Type.Optional(Count('How many ids one user can get with it')),
  pattern: Type.Optional(Pattern),
  legacy_challenge: Type.Optional(
    Type.Boolean({
      description: 'Also accept the signatures of released clients, which can be forged',
    }),
  ),
  combinable: Type.Optional(
    Type.Boolean({
      description:
        'Whether it can be combined with other combinable codes on one order; set by operators',
    }),
  ),
}
const Name = Type.String({ pattern: '\\S', ...textLengths.name })

export const NewCode = Type.Object({
  name: Name,
  code_type: CodeType,
  activator: Activator,
  organization_id: Type.Optional(Uuid),
  ...terms,
  reason: OptionalReason,
})
export type NewCode = Static<typeof NewCode>

export const CodeChange = Type.Object({
  name: Type.Optional(Name),
  ...terms,
  clear: Type.Optional(
    Type.Array(OneOf(clearableLimits), { description: 'Limits to remove: null means "unchanged"' }),
  ),
  reason: OptionalReason,
})
export type CodeChange = Static<typeof CodeChange>

export const CodeView = Type.Object({
  id: Uuid,
  name: Type.String(),
  code_type: CodeType,
  activator: Activator,
  redemption_code: Nullable(Type.String()),
  discount_as_percentage: Nullable(Type.Integer()),
  discount_in_cents: Nullable(Type.Integer()),
  start_date: Nullable(Timestamp),
  end_date: Nullable(Timestamp),
  max_uses: Nullable(Type.Integer()),
  max_emojis_per_user: Nullable(Type.Integer()),
  pattern: Nullable(Pattern),
  organization_id: Nullable(Uuid),
  legacy_challenge: Type.Boolean(),
  combinable: Type.Boolean({ description: 'Can be combined with other combinable codes' }),
  limited_to_fee: Type.Boolean({
    description: 'Its terms come from a partner: it takes off at most the partner’s fee',
  }),
  pubkeys: Type.Array(Hex32, { description: 'Keys whose signature activates it' }),
  total_uses: Type.Integer({ description: 'Uses on paid orders' }),
  available: Nullable(
    Type.Integer({ description: 'Uses left, without those on carts; null: no limit' }),
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
  deleted_at: Nullable(Timestamp),
})
export const CodeQuery = Type.Object({
  ...pagingQuery(['created_at', 'name', 'start_date', 'end_date'], {
    sort: 'created_at',
    dir: 'Desc',
  }).properties,
  code_type: Type.Optional(CodeType),
  organization_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'Also allowed for power roles there' }),
  ),
  q: SearchText('Part of the name or the text of a code; or the id of a code'),
})
export type CodeQuery = Static<typeof CodeQuery>

export const CodeParams = Type.Object({ id: Uuid })
export const PubkeyParams = Type.Object({ code_id: Uuid, pubkey: Hex32 })

export const CodeUse = Type.Object({
  order_id: Uuid,
  order_number: Type.String(),
  order_status: Type.String(),
  user_id: Uuid,
  email: Nullable(Type.String()),
  emoji_ids: Type.Array(Type.String(), { description: 'Ids with a discount of this code' }),
  created_at: Timestamp,
  counted_at: Nullable(Timestamp),
})
export const UseQuery = pagingQuery(['created_at'], { sort: 'created_at', dir: 'Desc' })
export type UseQuery = Static<typeof UseQuery>
