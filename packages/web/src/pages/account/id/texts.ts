import { messages } from '../../../language.ts'

/** The frame around the pages of one id, and texts that several of them share. */
export const texts = messages({
  en: {
    parts: {
      label: (names: string) => `Sections of ${names}`,
      addresses: 'Addresses',
      page: 'Page',
      share: 'Share',
      history: 'History',
      back: 'All emoji ids',
      send: 'Transfer or give away',
      view: 'Open its page',
    },
    views: {
      lookups: 'Lookups',
      month: (many: number) => `${many} in the 28 days before`,
      today: (many: number) => `${many} today`,
      perDay: 'Per day',
      sheets: 'Opened payment sheets',
      sums: (lookups: number, sheets: number) =>
        `Past 28 days and today: ${lookups} lookups, ${sheets} opened payment sheets`,
      chart: 'Lookups and opened payment sheets per day',
      unknown: 'The number of lookups can’t be read right now.',
    },
    release: {
      open: 'Release this emoji id …',
      title: 'Release this emoji id',
      text: 'Its addresses, page and history are deleted immediately, and anyone can buy it. You get no money for it; for a refund, go to the order instead.',
      sure: 'I no longer want it',
      action: 'Release it',
      done: 'You no longer own it.',
      minted: 'It’s minted and can’t be released.',
      notNow:
        'It can’t be released right now: it just changed owners, its payment is disputed, or a mint signature is active.',
    },
    label: 'Label',
    default: 'Default',
    diff: {
      added: 'New',
      changed: 'Changed',
      removed: 'Removed',
      before: 'Before',
      after: 'New',
    },
  },
})
