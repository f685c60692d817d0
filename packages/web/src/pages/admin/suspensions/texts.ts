import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Emoji ids that are suspended now, newest first.',
    caption: 'Suspended ids',
    filters: 'Find suspended ids',
    search: 'Find',
    searchHint: 'An emoji id or its names, part of the reason, or an email address',
    columns: {
      id: 'Emoji id',
      reason: 'Reason',
      owner: 'Owner',
      by: 'Suspended by',
      since: 'Since',
      actions: 'Actions',
    },
    withOwner: 'With the account of its owner',
    noOwner: 'A key without an account',
    unknown: 'Unknown',
    pages: 'Pages of suspended ids',
    notFound: 'No matching ids.',
  },
})
