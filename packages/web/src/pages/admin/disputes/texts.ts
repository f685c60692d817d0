import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Card payments that buyers’ banks took back or ask about, newest first. While one is open, what was bought is frozen. Evidence is given at the card provider.',
    filters: 'Find disputes',
    state: 'State',
    everyState: 'Every state',
    states: { open: 'Open', won: 'Won', lost: 'Lost', waiting: 'Waits for you' },
    caption: 'Disputes',
    columns: {
      amount: 'Amount',
      order: 'Order',
      buyer: 'Buyer',
      state: 'State',
      reason: 'Reason of the bank',
      opened: 'Since',
      actions: 'Actions',
    },
    look: 'Look',
    pages: 'Pages of disputes',
    notFound: 'There is no such dispute.',
  },
})
