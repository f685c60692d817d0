import { messages } from '../../../language.ts'

/** What somebody bought, and their money back. */
export const texts = messages({
  en: {
    text: 'What you bought, with the receipts. Choose one to see it, print it or give it back.',
    caption: 'Your orders',
    filters: 'Find an order of yours',
    status: 'State',
    everyStatus: 'Every state',
    columns: { order: 'Order', goods: 'What', state: 'State', total: 'Total' },
    pages: 'Pages of your orders',
    none: 'You have not ordered anything yet. What is in your cart is no order until you check out.',
    notFound: 'None of your orders is in that state.',
    find: 'Find an emoji id',
  },
})
