import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Everything that is yours. Choose one to change where it leads.',
    caption: 'Your emoji ids',
    filters: 'Find an emoji id of yours',
    search: 'Find',
    searchHint: 'Emojis, or their names',
    columns: { id: 'Emoji id', since: 'Since', actions: 'Actions' },
    cameBy: { bought: 'Bought', given: 'Given', received: 'Received' },
    blocked: 'Resting',
    blockedText: 'It has just changed hands: it can be sent on from',
    frozen: 'Frozen',
    minted: 'Token',
    signed: 'Signed for minting',
    manage: 'Manage',
    page: 'Page',
    pages: 'Pages of your emoji ids',
    none: 'You have no emoji id yet.',
    get: 'Find an emoji id',
    notFound: 'None of your emoji ids is like that.',
  },
})
