import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'In which people log in with an emoji id, newest first.',
    caption: 'Applications',
    filters: 'Find applications',
    search: 'Find',
    searchHint: 'Name or client id',
    organization: 'Organization',
    everyOrganization: 'Every organization',
    thisOrganization: 'Only that of the address',
    columns: { name: 'Name', organization: 'Organization', secrets: 'Secrets', made: 'Made' },
    pages: 'Pages of applications',
    notFound: 'No application is like that.',
    create: 'New application',
  },
})
