import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Cards saved by our payment provider. We never see their numbers. The checkout preselects your default card.',
    caption: 'Your cards',
    columns: { card: 'Card', expires: 'Valid until', actions: 'Actions' },
    expired: 'Expired',
    isDefault: 'Default',
    makeDefault: 'Make default',
    madeDefault: (card: string) => `${card} is now your default card.`,
    remove: 'Remove',
    removeTitle: (card: string) => `Remove ${card}?`,
    removeText:
      'You’ll have to enter it again for your next purchase. Past purchases stay yours, and refunds still reach this card.',
    removed: (card: string) => `${card} removed.`,
    toCart: 'Go to the cart',
    none: 'No saved cards. When you pay by card, the provider offers to save it.',
  },
})
