import { messages } from '../../../../platform/http/language.ts'

/** The link that removes an emoji id from the watchlist. */
export const texts = messages({
  en: {
    title: 'End an interest',
    question: 'You wanted to know when this emoji id becomes free. Take it off your list?',
    action: 'End my interest',
    done: (emoji_id: string) => ({ title: 'Ended', text: `You hear no more of ${emoji_id}.` }),
  },
})
