import { messages } from '../../../language.ts'

export const texts = messages({
  en: {
    title: 'New application',
    text: 'The application gets a client id and a secret to request sign-ins.',
    findOrganization: 'Find the organization',
    findHint: 'Part of its name or partner path.',
    organization: 'Organization',
    choose: 'Choose one',
    noOrganization: 'No matching organizations.',
    save: 'Register',
    saved: (name: string) => `${name} is registered.`,
    goOn: 'Go to the application',
    clientId: 'Client id',
  },
})
