import { Type } from 'typebox'

export const EmojiList = Type.Array(Type.String(), {
  description: 'Every emoji of the alphabet, in its permanent order',
})
