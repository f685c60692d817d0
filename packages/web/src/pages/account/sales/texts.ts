import { messages } from '../../../language.ts'

/** The sales of a partner, for its owners and controllers. */
export const texts = messages({
  en: {
    text: 'Orders placed through your organization. Buyers stay anonymous.',
    earned:
      'You earn a fee when an order is paid. Your own codes reduce only your fee; other discounts and partial refunds reduce it by their share. Refunded items earn nothing.',
    organization: 'Organization',
    caption: 'Sales',
    filters: 'Find a sale',
    search: 'Order number',
    from: 'From',
    to: 'To',
    status: 'State',
    everyStatus: 'All states',
    sums: 'Totals of these sales',
    paidOrders: 'Paid orders',
    total: 'Paid by buyers',
    refunded: 'Refunded',
    disputed: 'Charged back by the buyer’s bank:',
    fees: 'Your fees',
    columns: { order: 'Order', goods: 'Items', state: 'State', total: 'Total', fee: 'Your fee' },
    pages: 'Sales pages',
    none: 'No sales yet. Send buyers to your partner page, or sell through the API.',
    docs: 'Read the API documentation',
    notFound: 'No matching sales.',
    noRole: 'Only owners and controllers of an organization see sales. Ask an owner for that role.',
  },
})
