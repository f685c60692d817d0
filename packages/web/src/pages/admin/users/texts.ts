import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Everybody who has an account, newest first.',
    caption: 'Users',
    filters: 'Find users',
    search: 'Find',
    searchHint: 'E-mail address, name or id',
    role: 'Role',
    everyRole: 'Every role',
    columns: { who: 'Who', role: 'Role', ids: 'Emoji ids', state: 'State', joined: 'Joined' },
    pages: 'Pages of users',
    notFound: 'Nobody is like that. Try fewer letters, or every role.',
  },
})
