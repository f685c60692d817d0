import { MAX_EMOJIS } from '@emojid/core'
import { messages } from '../../language.ts'

/** The search page. */
export const texts = messages({
  en: {
    title: 'A few emojis instead of an address',
    intro: 'Find an emoji id, see whether it is available and what it costs.',
    examples: 'Try one of these',
    field: {
      label: 'Emojis or their names',
      hint: 'Enter adds what a word names. Arrow down leads to the emojis and Escape back, Backspace takes the last one away.',
      placeholder: 'Type emojis or names',
      placeholderMore: 'Add another',
      chosen: 'Chosen emojis',
      remove: (name: string) => `Remove ${name}`,
      count: (count: number) => `${count} of ${MAX_EMOJIS}`,
    },
    echo: {
      id: 'Your emoji id',
      full: `An emoji id has at most ${MAX_EMOJIS} emojis, and these are the first. Take one away to add another.`,
      wrong: 'Take it away to go on.',
      best: (count: number, name: string) =>
        `${count === 1 ? 'One emoji fits' : `${count} emojis fit`}. Enter adds ${name}.`,
      none: (word: string) => `No emoji is called “${word}”. Try another word.`,
      looking: 'Looking it up…',
    },
    partnerFee: (partner: string) => `in fees, with that of ${partner}`,
    availability: {
      Available: 'Available',
      Taken: 'Somebody has it',
      InCart: 'Somebody is buying it',
      ComingSoon: 'Not released yet',
      NoPrice: 'Not for sale',
    },
    advice: {
      Taken: 'Choose one that is close to it, or be told when it becomes free.',
      InCart: 'It is available again in a few minutes if they do not pay.',
      NoPrice: 'Single emojis are kept back. Add another emoji.',
    },
    heldBack: {
      mark: 'not released yet',
      vendor: 'every maker draws it differently.',
      religion: 'signs of faith are kept back.',
      zodiac: 'signs of the zodiac are kept back.',
      letters: 'it is made of letters.',
      sign: 'it is a sign rather than a picture.',
      upcoming: 'it comes with a later release.',
      synonym: (other: string) => `it means the same as ${other}.`,
      lookalike: (other: string) => `it is easily taken for ${other}.`,
    },
    get: 'Get it',
    cart: 'Open the cart',
    seePage: 'See its page',
    again: 'Try again',
    checkAgain: 'Look again',
    tellMe: 'Tell me when it becomes free',
    told: 'We will mail you when it becomes free.',
    score: {
      title: 'Why this score',
      label: 'Rhythm score',
      of: 'of 100',
      explanation: 'The higher the score, the higher the price.',
    },
    alternates: { title: 'Close to it, and available', none: 'Nothing close to it is available.' },
    random: { title: 'By chance', again: 'Draw others' },
    recent: { title: 'Lately found a home', none: 'None was bought lately. Be the first.' },
  },
})
