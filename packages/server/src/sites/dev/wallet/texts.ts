import { type Html, html } from '../../../platform/http/pages/html.ts'
import { messages } from '../../../platform/http/pages/language.ts'

/** The demonstration wallet; its script holds the remaining texts. */
export const texts = messages({
  en: {
    title: 'Demo Wallet',
    text: (address: string) =>
      html`It pays emoji ids with play money, and nothing leaves this machine. It is built on the SDK. <a href="${address}">Development page</a>`,
    to: 'To',
    hint: (example: Html) => html`An emoji id such as ${example}, or its name: fire.snake`,
    currency: 'Currency',
    amount: 'Amount',
    lookUp: 'Look up',
    book: 'Address book',
    emptyBook: 'No saved contacts yet.',
    unwatched:
      'Changed addresses don’t show here at the moment. The wallet still checks each one before you pay.',
    payments: 'Payments',
    noPayments: 'No payments yet.',
  },
})
