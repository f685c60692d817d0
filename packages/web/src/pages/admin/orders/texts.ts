import { messages } from '../../../language.ts'

/** What happens to a refund, in a word. */
const refundStates = {
  queued: 'On its way',
  by_hand: 'To be given by hand',
  done: 'Given back',
}

const refundKinds = { refund: 'Refund', misc_refund: 'Some money back' }

export const texts = messages({
  en: {
    text: 'Every cart with anything in it and what became of it, newest first. The state “Cart” shows the empty ones, too.',
    views: 'Parts of orders',
    all: 'All orders',
    requests: 'Refund requests',
    refunds: 'Refunds',
    filters: 'Find orders',
    search: 'Find',
    searchHint: 'Order number, e-mail address or id',
    request: 'Requests',
    requestStates: { open: 'Open', handled: 'Handled' },
    state: 'State',
    everyState: 'Every state',
    states: {
      Draft: 'Cart',
      PendingPayment: 'Waits for money',
      Paid: 'Paid',
      Cancelled: 'Cancelled',
    },
    from: 'From (UTC)',
    to: 'Until (UTC)',
    caption: 'Orders',
    columns: {
      number: 'Number',
      buyer: 'Buyer',
      state: 'State',
      total: 'Total',
      made: 'Made',
    },
    items: (count: number) => (count === 1 ? '1 item' : `${count} items`),
    asks: 'Asks for a refund',
    refunded: 'Refunded',
    declined: 'Refund declined',
    pages: 'Pages of orders',
    notFound: 'No order is like that. Try fewer letters, another state, or other days.',
    refund: {
      text: 'Money on its way back. What no provider can give back is given by a person, and noted here.',
      filters: 'Find refunds',
      state: 'State',
      everyState: 'Every state',
      states: refundStates,
      toClaim: 'Waits for the buyer or the payout',
      kinds: refundKinds,
      caption: 'Refunds',
      columns: {
        amount: 'Amount',
        order: 'Order',
        kind: 'Kind',
        state: 'State',
        made: 'Since',
        reason: 'Reason',
        actions: 'Actions',
      },
      pages: 'Pages of refunds',
      notFound: 'There is no such refund.',
    },
    given: {
      label: 'Mark as given …',
      title: 'You gave this money back',
      text: 'Only once it is really on its way: nothing is sent from here.',
      reference: 'Where it is found',
      referenceHint: 'A receipt, a transaction or a bank statement. It is kept in the audit log.',
      action: 'Mark as given',
      done: 'The refund is marked as given.',
    },
  },
})
