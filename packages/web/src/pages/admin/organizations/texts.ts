import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Partners and other organizations, newest first.',
    caption: 'Organizations',
    filters: 'Find organizations',
    search: 'Find',
    searchHint: 'Name, partner path or id',
    columns: { name: 'Name', path: 'Partner path', fee: 'Fee', made: 'Created' },
    noPath: 'None',
    fee: (percent: number) => `${percent} %`,
    pages: 'Organization pages',
    notFound: 'No matching organizations. Try a shorter search.',
    create: 'New organization',
    createText: 'You can add members and branding next.',
    createAction: 'Create',
    created: (name: string) => `${name} created.`,
  },
})
