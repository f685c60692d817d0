import { messages } from '../../language.ts'

/** The answer to a search: price, actions and score. */
export const texts = messages({
  en: {
    partnerFee: (partner: string) => `in fees, including ${partner}’s fee`,
    availability: {
      Available: 'Available',
      Taken: 'Taken',
      InCart: 'In checkout',
      ComingSoon: 'Not released yet',
      NoPrice: 'Not for sale',
    },
    advice: {
      Taken: 'Choose a similar one, or add it to your watchlist.',
      InCart:
        'Another buyer is paying for it. If they don’t, it’s available again in a few minutes.',
      NoPrice: 'Single emojis aren’t for sale. Add another emoji.',
    },
    heldBack: {
      vendor: 'it looks different on every platform.',
      religion: 'religious symbols are reserved.',
      zodiac: 'zodiac signs are reserved.',
      letters: 'it consists of letters.',
      sign: 'it’s a sign rather than a picture.',
      upcoming: 'it comes in a later release.',
      synonym: (other: string) => `it means the same as ${other}.`,
      lookalike: (other: string) => `it looks too similar to ${other}.`,
    },
    bar: 'Chosen emoji id',
    get: 'Get it',
    cart: 'Open cart',
    seePage: 'See its page',
    checkAgain: 'Check again',
    watch: 'Add to watchlist',
    told: 'Added. We’ll email you when it becomes available.',
    score: {
      title: 'Why this score',
      label: 'Rhythm score',
      of: 'of 100',
      explanation: 'The higher the score, the higher the price.',
    },
    alternates: { title: 'Similar and available', none: 'Nothing similar is available.' },
  },
})
