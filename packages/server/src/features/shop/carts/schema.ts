import { type Static, Type } from 'typebox'
import { EmojiIdText } from '../../directory/emoji-ids/index.ts'

export const TrackingData = Type.Unknown({ description: 'Stored with the order, for the partner' })

/** The partner in whose flow a cart is filled. */
export const FlowPartner = Type.String({
  format: 'uuid',
  description: 'The partner in whose flow the items are added; the price includes its fee',
})

export const NewItems = Type.Object({
  items: Type.Array(
    Type.Object({
      emoji_id: Type.Optional(EmojiIdText),
      lootbox_id: Type.Optional(
        Type.String({ format: 'uuid', description: 'Instead of emoji_id, if boxes are sold' }),
      ),
    }),
    { minItems: 1, maxItems: 100 },
  ),
  tracking_data: Type.Optional(TrackingData),
  organization_id: Type.Optional(FlowPartner),
})
export type NewItems = Static<typeof NewItems>
export const ItemParams = Type.Object({ cart_item_id: Type.String({ format: 'uuid' }) })
