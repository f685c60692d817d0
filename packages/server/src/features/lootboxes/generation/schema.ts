import { type Static, Type } from 'typebox'
import { OptionalReason } from '../../../platform/http/schemas.ts'
import { LootboxView } from '../boxes/index.ts'

export const GenerationRequest = Type.Object({
  loot_box_type_id: Type.String({ format: 'uuid' }),
  num_boxes: Type.Integer({ minimum: 1, maximum: 100 }),
  reason: OptionalReason,
})
export type GenerationRequest = Static<typeof GenerationRequest>

export const LootboxSet = Type.Object({
  loot_boxes: Type.Array(LootboxView, {
    description: 'Fewer than were asked for when time or ids ran out',
  }),
  num_requested: Type.Integer(),
})
