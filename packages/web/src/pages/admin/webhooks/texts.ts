import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'Endpoints at which users and organizations receive events.',
    caption: 'Webhook endpoints',
    pages: 'Pages of webhook endpoints',
    filters: 'Find webhook endpoints',
    search: 'Find',
    searchHint: 'Host, email address, organization or number',
    status: 'State',
    everyStatus: 'Every state',
    statuses: { active: 'Active', paused: 'Paused', disabled: 'Disabled', stopped: 'Stopped' },
    notFound: 'No matching endpoints.',
    columns: {
      address: 'Address',
      owner: 'Owner',
      state: 'State',
      waiting: 'Waiting',
      since: 'Since',
    },
  },
})
