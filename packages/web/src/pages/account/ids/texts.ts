import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'The emoji ids you own. Choose one to edit it.',
    caption: 'Your emoji ids',
    filters: 'Find one of your emoji ids',
    search: 'Find',
    searchHint: 'Emojis, or their names',
    columns: { id: 'Emoji id', since: 'Since', actions: 'Actions' },
    cameBy: { bought: 'Bought', given: 'Gift', received: 'Received' },
    blocked: 'On hold',
    blockedText: 'It just changed owners. You can send it from',
    frozen: 'Frozen',
    suspended: 'Suspended',
    minted: 'Token',
    signed: 'Signed for minting',
    manage: 'Manage',
    page: 'Page',
    pages: 'Pages of your emoji ids',
    none: 'You don’t own an emoji id yet.',
    get: 'Find an emoji id',
    notFound: 'No match among your emoji ids.',
  },
})
