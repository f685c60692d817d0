import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Card payments that a buyer’s bank disputes, newest first. Items stay frozen while a dispute is open. Submit evidence at the card provider.',
    filters: 'Find disputes',
    state: 'State',
    everyState: 'All states',
    states: { open: 'Open', won: 'Won', lost: 'Lost', waiting: 'Needs a decision' },
    caption: 'Disputes',
    columns: {
      amount: 'Amount',
      order: 'Order',
      buyer: 'Buyer',
      state: 'State',
      reason: 'Bank’s reason',
      opened: 'Opened',
      actions: 'Actions',
    },
    look: 'View',
    pages: 'Dispute pages',
    notFound: 'No matching disputes.',
  },
})
