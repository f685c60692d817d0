import { MAX_EMOJIS } from '@emojid/core'
import { messages } from '../../language.ts'

/** The search page. */
export const texts = messages({
  en: {
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
      looking: 'Looking it up …',
    },
    heldBack: { mark: 'not released yet' },
    again: 'Try again',
    random: { title: 'Random ideas', again: 'Shuffle' },
    recent: { title: 'Recently bought', none: 'No recent purchases. Be the first.' },
  },
})
