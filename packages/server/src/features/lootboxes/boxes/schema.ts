import { type Static, Type } from 'typebox'
import { pageOf, pagingQuery } from '../../../platform/http/paging.ts'
import {
  Nullable,
  OneOf,
  OptionalReason,
  SearchText,
  Timestamp,
} from '../../../platform/http/schemas.ts'
import { DisplayUser } from '../../identity/accounts/index.ts'
import { LootboxTypeView } from '../types/index.ts'
import { statuses } from './table.ts'

const Uuid = Type.String({ format: 'uuid' })
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Yats = Type.Array(Type.String({ description: 'An emoji id in any spelling' }), {
  minItems: 1,
  maxItems: 20,
})
const owner = {
  owner_email: Type.Optional(Type.String({ description: 'Not together with owner_id' })),
  owner_id: Type.Optional(Uuid),
}

export const NewLootbox = Type.Object({
  status: OneOf(statuses),
  yats: Yats,
  ...owner,
  reason: OptionalReason,
})
export type NewLootbox = Static<typeof NewLootbox>

export const LootboxChange = Type.Object({
  status: Type.Optional(OneOf(statuses)),
  yats: Type.Optional(Yats),
  ...owner,
  reason: OptionalReason,
})
export type LootboxChange = Static<typeof LootboxChange>

export const LootboxView = Type.Object({
  id: Uuid,
  created_at: Timestamp,
  status: OneOf(statuses),
  average_rhythm_score: Type.Number(),
  total_value: Type.Number({ description: 'US cents, when the box was filled' }),
  prices: Type.Array(Type.Integer()),
  scores: Type.Array(Type.Integer()),
  yats: Type.Array(Type.String(), { description: 'Empty for owners until the box is opened' }),
  lootbox_type: Nullable(LootboxTypeView),
  lootbox_type_id: Nullable(Uuid),
  owner: Nullable(DisplayUser),
  owner_id: Nullable(Uuid),
  owner_email: Type.Optional(
    Nullable(Type.String({ description: 'For operators: whose account is to confirm it' })),
  ),
  seed_hash: Type.Unsafe<string>({ ...Hash, description: 'SHA-256 of the seed of the box' }),
})
export type LootboxView = Static<typeof LootboxView>

export const LootboxPage = pageOf(LootboxView)
export const LootboxQuery = Type.Object({
  ...pagingQuery(['created_at', 'updated_at'], { sort: 'created_at', dir: 'Desc' }).properties,
  owner_id: Type.Optional(Type.String({ format: 'uuid', description: 'Others’: for operators' })),
  status: Type.Optional(OneOf(statuses)),
  lootbox_type_id: Type.Optional(Uuid),
  q: SearchText(
    'For operators: part of the id or seed hash of a box, or of the e-mail address of an owner',
  ),
})
export type LootboxQuery = Static<typeof LootboxQuery>
export const LootboxParams = Type.Object({ id: Uuid })
