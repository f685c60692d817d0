import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'The emoji ids you own. Choose one to edit it.',
    caption: 'Your emoji ids',
    filters: 'Find one of your emoji ids',
    search: 'Find',
    searchHint: 'Emojis, or their names',
    columns: { id: 'Emoji id', since: 'Acquired', actions: 'Actions' },
    cameBy: { bought: 'Bought', given: 'Granted', received: 'Received' },
    blocked: 'On hold',
    blockedText: 'It just changed owners. You can send it from',
    frozen: 'Frozen',
    suspended: 'Suspended',
    minted: 'Minted',
    signed: 'Signed for minting',
    manage: 'Manage',
    page: 'Page',
    pages: 'Pages of your emoji ids',
    none: 'You don’t own an emoji id yet.',
    get: 'Find an emoji id',
    checklist: {
      title: (done: number, all: number) => `First steps: ${done} of ${all} done`,
      confirm: 'Confirm your email address',
      address: 'Add a payment address',
      page: 'Write your page',
      share: 'Share it',
      secondFactor: 'Protect your account with a second factor',
      done: '(done)',
    },
    notFound: 'No match among your emoji ids.',
  },
})
