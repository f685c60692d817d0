import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Cards that our payment provider keeps for you. We never see their numbers. The default is chosen for you in the checkout.',
    caption: 'Your cards',
    columns: { card: 'Card', expires: 'Valid until', actions: 'Actions' },
    expired: 'Expired',
    isDefault: 'Default',
    makeDefault: 'Make default',
    madeDefault: (card: string) => `${card} is your default card.`,
    remove: 'Remove',
    removeTitle: (card: string) => `Remove ${card}?`,
    removeText:
      'The provider forgets it, and you type it again at your next purchase. What you bought with it stays yours, and refunds still reach it.',
    removed: (card: string) => `${card} is removed.`,
    none: 'No card is kept for you. When you pay by card, the provider asks whether to keep it for the next time.',
  },
})
