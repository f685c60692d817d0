import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Partners and other organizations, newest first.',
    caption: 'Organizations',
    filters: 'Find organizations',
    search: 'Find',
    searchHint: 'Name, partner path or id',
    columns: { name: 'Name', path: 'Partner path', fee: 'Fee', made: 'Made' },
    noPath: 'None',
    fee: (percent: number) => `${percent} %`,
    pages: 'Pages of organizations',
    notFound: 'No organization is like that. Try fewer letters.',
    create: 'New organization',
    createText: 'Members and looks come next.',
    createAction: 'Create it',
    created: (name: string) => `${name} is created.`,
  },
})
