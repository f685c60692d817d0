import { messages } from '../../../language.ts'

/** Around the pages of one id, and what several of them say. */
export const texts = messages({
  en: {
    parts: {
      label: (names: string) => `Parts of ${names}`,
      addresses: 'Addresses',
      page: 'Page',
      history: 'History',
      back: 'All emoji ids',
      view: 'Open its page',
    },
    giveBack: {
      open: 'Give this emoji id back …',
      title: 'Give the emoji id back',
      text: 'Its addresses, page and history are gone at once, and anybody may get it. No money comes back for it: where that is still possible, ask for it at the order instead.',
      sure: 'I do not want it any more',
      action: 'Give it back',
      done: 'It is not yours any more.',
      minted: 'It is minted: it cannot be given back.',
      notNow:
        'It cannot be given back right now: it has just come to you, its payment is disputed, or somebody may mint it.',
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
