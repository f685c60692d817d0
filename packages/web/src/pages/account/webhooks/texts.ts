import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    text: 'We send events of your emoji ids, orders and transfers to your server. Each one is signed.',
    owner: 'Owner',
    own: 'My account',
    caption: 'Webhook endpoints',
    columns: { address: 'Address', state: 'State', types: 'Events', success: 'Last success' },
    none: 'No webhook endpoints. Add one to learn of payments and transfers without asking us.',
    never: 'Never',
    add: 'Add an endpoint',
    form: {
      title: 'New webhook endpoint',
      add: 'Add endpoint',
    },
    made: {
      title: 'Your endpoint’s secret',
      text: 'Store it now: we show it only once. Your server verifies every webhook with it.',
      label: 'Secret',
      copy: 'Copy the secret',
      done: 'I’ve stored it',
    },
  },
})
