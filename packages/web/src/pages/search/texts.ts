import { MAX_EMOJIS } from '@emojid/core'
import { messages } from '../../language.ts'

/** The search page. */
export const texts = messages({
  en: {
    title: 'A few emojis instead of an address',
    intro: 'Find an emoji id, check whether it’s available and see its price.',
    examples: 'Try one of these',
    field: {
      label: 'Emojis or their names',
      hint: 'Enter adds the matching emoji, Backspace removes the last one. Arrow down moves to the emojis, Escape back.',
      placeholder: 'Type emojis or names',
      placeholderMore: 'Add another',
      chosen: 'Chosen emojis',
      remove: (name: string) => `Remove ${name}`,
      count: (count: number) => `${count} of ${MAX_EMOJIS}`,
    },
    echo: {
      id: 'Your emoji id',
      full: `An emoji id has at most ${MAX_EMOJIS} emojis; these are the first. Remove one to add another.`,
      wrong: 'Remove it to continue.',
      best: (count: number, name: string) =>
        `${count === 1 ? 'One emoji matches' : `${count} emojis match`}. Enter adds ${name}.`,
      none: (word: string) => `No emoji matches “${word}”. Try another word.`,
      looking: 'Looking it up…',
    },
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
      mark: 'not released yet',
      vendor: 'it looks different on every platform.',
      religion: 'religious symbols are reserved.',
      zodiac: 'zodiac signs are reserved.',
      letters: 'it consists of letters.',
      sign: 'it’s a sign rather than a picture.',
      upcoming: 'it comes in a later release.',
      synonym: (other: string) => `it means the same as ${other}.`,
      lookalike: (other: string) => `it looks too similar to ${other}.`,
    },
    get: 'Get it',
    cart: 'Open cart',
    seePage: 'See its page',
    again: 'Try again',
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
    random: { title: 'Random ideas', again: 'Shuffle' },
    recent: { title: 'Recently bought', none: 'No recent purchases. Be the first.' },
  },
})
