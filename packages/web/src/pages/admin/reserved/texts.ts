import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Emoji ids and patterns that aren’t for sale, newest first. Owners keep ids that they already have.',
    caption: 'Reserved ids and patterns',
    filters: 'Find reserved ids',
    search: 'Find',
    searchHint: 'Emojis, or part of the reason',
    columns: {
      pattern: 'Id or pattern',
      reason: 'Reason',
      since: 'Reserved',
      actions: 'Actions',
    },
    pages: 'Pages of reserved ids',
    notFound: 'No matching entries.',
    reserve: {
      label: 'Reserve …',
      title: 'Reserve an id or a pattern',
      text: 'Buyers can no longer buy a matching id. Operators can still grant it.',
      field: 'Id or pattern',
      hint: '* stands for any number of emojis: 🎲* reserves every id that begins with 🎲.',
      action: 'Reserve',
      done: 'Reserved.',
    },
    remove: {
      label: 'Remove …',
      title: 'Remove this entry?',
      text: (pattern: string) => `Buyers can buy ids that match ${pattern} again.`,
      action: 'Remove entry',
      done: 'Entry removed.',
    },
  },
})
