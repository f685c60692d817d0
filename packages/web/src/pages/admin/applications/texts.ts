import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Applications that people sign in to with an emoji id, newest first.',
    caption: 'Applications',
    filters: 'Find applications',
    search: 'Find',
    searchHint: 'Name or client id',
    organization: 'Organization',
    everyOrganization: 'All organizations',
    thisOrganization: 'Only the one in the URL',
    columns: { name: 'Name', organization: 'Organization', secrets: 'Secrets', made: 'Created' },
    pages: 'Application pages',
    notFound: 'No matching applications.',
    create: 'New application',
  },
})
