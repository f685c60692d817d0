import { messages } from '../../../language.ts'

/** What a partner sold, for its power roles. */
export const texts = messages({
  en: {
    text: 'Orders that buyers made through your organization. Buyers stay unknown: you see what was sold, and never to whom.',
    earned:
      'A fee is earned once an order is paid. Your own codes come off your fee alone; other discounts, and money that went back, reduce it by their share. Refunded items earn nothing.',
    organization: 'Organization',
    caption: 'Sales',
    filters: 'Find a sale',
    search: 'Order number',
    from: 'From',
    to: 'To',
    status: 'State',
    everyStatus: 'Every state',
    sums: 'Sums of what is found',
    paidOrders: 'Paid orders',
    total: 'Paid by buyers',
    refunded: 'Refunded',
    disputed: 'The buyer’s bank took the payment back:',
    fees: 'Your fees',
    columns: { order: 'Order', goods: 'What', state: 'State', total: 'Total', fee: 'Your fee' },
    pages: 'Pages of your sales',
    none: 'Nothing was sold through your organization yet.',
    notFound: 'There is no such sale.',
    noRole: 'Sales are for owners and controllers of an organization. Ask an owner for that role.',
  },
})
