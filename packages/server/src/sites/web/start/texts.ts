import { type Html, html } from '../../../platform/http/pages/html.ts'
import { messages } from '../../../platform/http/pages/language.ts'

const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** The start page, as far as the server writes it. */
export const texts = messages({
  en: {
    name: 'Emoji Id Directory',
    navigation: 'Main',
    skip: 'Skip to content',
    signIn: 'Sign in',
    title: 'A few emojis instead of an address',
    intro:
      'An emoji id is a short name for your crypto addresses: people type a few emojis and pay you, in any currency you list.',
    steps: {
      label: 'How it works',
      list: ['Pick your emojis', 'Add your addresses', 'Get paid by emoji'],
    },
    search: {
      label: 'Emojis or their names',
      count: '0 of 6',
      placeholder: 'Type emojis or names',
      submit: 'Show',
      examples: 'Try one of these',
    },
    picker: {
      title: 'Pick emojis',
      loading: 'Tap or type to load the emojis.',
      ideas: 'Random ideas',
      noScript:
        'The emoji picker needs scripts. Without them, type an emoji id above to see its page or its price.',
    },
    demo: {
      title: 'See it work',
      text: 'Type an emoji id and see what a payer sees: checked addresses, QR codes and wallet links.',
      label: 'Emoji id to pay',
      show: 'Show',
      loading: 'Looking it up …',
      failed: 'That didn’t work. Check your connection and try again.',
      page: 'Open its page',
    },
    cost: {
      title: 'What it costs',
      once: 'You pay once. There is no renewal and no fee for being paid.',
      example: (id: Html, cents: number) =>
        html`For example ${id} for ${money.format(cents / 100)}.`,
      price: 'Short and catchy ids cost more. You see the price before you buy.',
    },
    wallets: {
      title: 'Which wallets can pay it',
      direct: 'Wallets that support emoji ids: type the emojis where you would paste an address.',
      all: 'Every other wallet: open the page of the id, scan the QR code or copy the address.',
      currencies:
        'Bitcoin, Ethereum, Solana, Monero, stablecoins and many other currencies. We check each address before we show it.',
    },
    audiences: {
      title: 'Who it is for',
      list: [
        ['People', 'One short name for all your wallets. Change an address and the name stays.'],
        ['Wallets', 'Let your users pay a name, and get their own name without leaving your app.'],
        ['Applications', 'Look up addresses by API, or let people log in with their emoji id.'],
        ['Operators', 'Run your own directory, with prices, partners and reports.'],
      ] as const,
    },
    footer: {
      label: 'About this service',
      help: 'Help',
      docs: 'Documentation',
      terms: 'Terms',
      privacy: 'Privacy',
      imprint: 'Imprint',
    },
    description:
      'Get a short emoji id for your crypto addresses: people type a few emojis and pay you. Paid once, works with every wallet.',
    picture: 'Emoji Id Directory',
  },
})
