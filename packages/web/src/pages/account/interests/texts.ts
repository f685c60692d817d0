import { messages } from '../../../language.ts'

/** The watchlist. The API calls its entries interests. */
export const texts = messages({
  en: {
    text: 'Taken emoji ids you want. When one becomes available, we’ll email you once.',
    add: 'Watch an emoji id',
    fieldHint: 'Enter adds the matching emoji, Backspace removes the last one.',
    taken: 'We can tell you when it becomes available.',
    watch: 'Add to watchlist',
    get: 'Available: get it',
    added: 'Added. We’ll email you when it becomes available.',
    caption: 'Your watchlist',
    columns: { id: 'Emoji id', since: 'Added', state: 'State', actions: 'Actions' },
    waiting: 'Taken',
    free: 'Became available',
    look: 'Look up',
    remove: 'Remove',
    confirm: {
      title: 'Remove it from your watchlist?',
      text: 'We won’t email you when it becomes available.',
      action: 'Remove',
      done: 'Removed.',
    },
    none: 'No emoji ids on your watchlist. Enter one above, or search for one that is available now.',
    find: 'Find an emoji id',
    pages: 'Watchlist pages',
  },
})
