import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Every account, newest first.',
    caption: 'Users',
    filters: 'Find users',
    search: 'Find',
    searchHint: 'Email address, name, id or owned emoji id',
    role: 'Role',
    everyRole: 'All roles',
    columns: { who: 'User', role: 'Role', ids: 'Emoji ids', state: 'State', joined: 'Joined' },
    pages: 'User pages',
    notFound: 'No matching users. Try a shorter search or all roles.',
  },
})
