import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Find an emoji id to see its owner, state, orders, transfers and history, and to act on it.',
  },
})
