import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from '../../../platform/http/schemas.ts'
import { LootboxView } from '../boxes/index.ts'
import { LootboxTypeView } from '../types/index.ts'

const Uuid = Type.String({ format: 'uuid' })
const Hash = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description })

const Recipe = Type.Object({
  algorithm: Type.Integer({ description: 'Names the way of drawing and sealing' }),
  config: LootboxTypeView.properties.config,
  emojis: Type.Array(Type.String(), { description: 'What ids were drawn from' }),
})

export const LootboxProof = Type.Object({
  id: Uuid,
  status: LootboxView.properties.status,
  created_at: Timestamp,
  lootbox_type_id: Nullable(Uuid),
  alphabet_version: Type.Integer({ description: 'Of the alphabet and the scores' }),
  recipe: Nullable(Recipe),
  seed_hash: Hash('SHA-256 of the 32 bytes of the seed'),
  contents_hash: Hash(
    'SHA-256 of the JSON [seed, emoji_ids, [emoji_id, reason] of all rejected]; since algorithm 2 with a hash of the recipe as a fourth member (docs/lootboxes.md)',
  ),
  seed: Nullable(Type.String({ description: 'In hex; null until the box is opened' })),
  rejected: Nullable(
    Type.Array(Type.Object({ emoji_id: Type.String(), reason: Type.String() }), {
      description: 'What was drawn and could not be had, in order; null until then',
    }),
  ),
  emoji_ids: Nullable(
    Type.Array(Type.String(), {
      description: 'What is in it, in canonical format; null until then',
    }),
  ),
  recomputes: Nullable(
    Type.Boolean({
      description:
        'Whether both hashes hold and drawing again gives the same ids (a box filled by hand has only the hashes); null until then',
    }),
  ),
})
export type LootboxProof = Static<typeof LootboxProof>
export const ProofParams = Type.Object({ id: Uuid })
