import { type Static, Type } from 'typebox'
import { EmojiIdText } from '../../directory/emoji-ids/index.ts'

export const TrackingData = Type.Unknown({ description: 'Kept with the order, for the partner' })

/** The partner whose flow a cart is filled in. */
export const FlowPartner = Type.String({
  format: 'uuid',
  description: 'The partner in whose flow this happens: it earns its fee, which the price includes',
})

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
  organization_id: Type.Optional(FlowPartner),
})
export type NewItems = Static<typeof NewItems>
export const ItemParams = Type.Object({ cart_item_id: Type.String({ format: 'uuid' }) })
