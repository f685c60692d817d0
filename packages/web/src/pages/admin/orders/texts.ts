import { messages } from '../../../language.ts'

/** The states of a refund. */
const refundStates = {
  queued: 'On its way',
  by_hand: 'Needs a manual payout',
  done: 'Refunded',
}

const refundKinds = { refund: 'Refund', misc_refund: 'Partial refund' }

export const texts = messages({
  en: {
    text: 'Orders and non-empty carts, newest first. Choose the state “Cart” to include empty ones.',
    views: 'Order sections',
    all: 'All orders',
    requests: 'Refund requests',
    refunds: 'Refunds',
    filters: 'Find orders',
    search: 'Find',
    searchHint: 'Order number, email address, id or emoji id',
    request: 'Requests',
    requestStates: { open: 'Open', handled: 'Handled' },
    state: 'State',
    everyState: 'All states',
    states: {
      Draft: 'Cart',
      PendingPayment: 'Waiting for payment',
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
      made: 'Created',
    },
    items: (count: number) => (count === 1 ? '1 item' : `${count} items`),
    moreIds: (count: number) => `and ${count} more`,
    asks: 'Refund requested',
    refunded: 'Refunded',
    declined: 'Refund declined',
    pages: 'Order pages',
    notFound: 'No matching orders. Try a shorter search, another state or other days.',
    refund: {
      text: 'Refunds on their way. If the provider can’t send one, pay it manually and record it here.',
      filters: 'Find refunds',
      state: 'State',
      everyState: 'All states',
      states: refundStates,
      toClaim: 'Waiting for the buyer or the payout',
      kinds: refundKinds,
      caption: 'Refunds',
      columns: {
        amount: 'Amount',
        order: 'Order',
        kind: 'Type',
        state: 'State',
        made: 'Since',
        reason: 'Reason',
        actions: 'Actions',
      },
      pages: 'Refund pages',
      notFound: 'No matching refunds.',
    },
    given: {
      label: 'Mark as paid …',
      title: 'Mark this refund as paid',
      text: 'Send the money first: nothing is sent from here.',
      reference: 'Reference',
      referenceHint: 'A receipt, a transaction or a bank statement. Saved in the audit log.',
      action: 'Mark as paid',
      done: 'Refund marked as paid.',
    },
  },
})
