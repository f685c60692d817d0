import { messages } from '../../../../platform/http/pages/language.ts'

/** The link that removes an emoji id from an account's watchlist. */
export const texts = messages({
  en: {
    title: 'Remove from your watchlist',
    question:
      'You asked us to email you when this emoji id becomes available. Remove it from your watchlist?',
    action: 'Remove from watchlist',
    done: (emoji_id: string) => ({
      title: 'Removed',
      text: `We won’t email you about ${emoji_id} any more.`,
    }),
  },
})
