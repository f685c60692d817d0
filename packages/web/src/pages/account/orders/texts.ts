import { messages } from '../../../language.ts'

/** The list of orders. */
export const texts = messages({
  en: {
    text: 'Your orders and receipts. Choose one to view it, print it or request a refund.',
    caption: 'Your orders',
    filters: 'Find one of your orders',
    status: 'State',
    everyStatus: 'All states',
    columns: { order: 'Order', goods: 'Items', state: 'State', total: 'Total' },
    pages: 'Order pages',
    none: 'No orders yet. Your cart becomes an order when you check out.',
    notFound: 'No orders in this state.',
    find: 'Find an emoji id',
  },
})
