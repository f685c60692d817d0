import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    title: 'New application',
    text: 'It gets an id and a secret, with which it asks for logins.',
    findOrganization: 'Find the organization',
    findHint: 'Part of its name or partner path.',
    organization: 'Organization',
    choose: 'Choose one',
    noOrganization: 'No organization is like that.',
    save: 'Register it',
    saved: (name: string) => `${name} is registered.`,
    goOn: 'Go to the application',
    clientId: 'Client id',
  },
})
