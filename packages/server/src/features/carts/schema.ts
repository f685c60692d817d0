import { type Static, Type } from 'typebox'
import { EmojiIdText } from '../emoji-ids/index.ts'

export const TrackingData = Type.Unknown({ description: 'Kept with the order, for the partner' })

export const NewItems = Type.Object({
  items: Type.Array(Type.Object({ emoji_id: EmojiIdText }), { minItems: 1, maxItems: 100 }),
  tracking_data: Type.Optional(TrackingData),
})
export type NewItems = Static<typeof NewItems>
export const ItemParams = Type.Object({ cart_item_id: Type.String({ format: 'uuid' }) })
