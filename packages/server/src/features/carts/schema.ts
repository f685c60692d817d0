import { type Static, Type } from 'typebox'
import { EmojiIdText } from '../emoji-ids/index.ts'

export const TrackingData = Type.Unknown({ description: 'Kept with the order, for the partner' })

export const NewItems = Type.Object({
  items: Type.Array(
    Type.Object({
      emoji_id: Type.Optional(EmojiIdText),
      lootbox_id: Type.Optional(
        Type.String({ format: 'uuid', description: 'Instead of emoji_id, where boxes are sold' }),
      ),
    }),
    { minItems: 1, maxItems: 100 },
  ),
  tracking_data: Type.Optional(TrackingData),
})
export type NewItems = Static<typeof NewItems>
export const ItemParams = Type.Object({ cart_item_id: Type.String({ format: 'uuid' }) })
