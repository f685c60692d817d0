import { messages } from '../../language.ts'

/** Getting an emoji id during the sign-in to an application. */
export const texts = messages({
  en: {
    label: 'An application is waiting',
    text: 'An application is waiting for your emoji id. Get one, then continue there.',
    goOn: 'Continue to the application',
    hide: 'Hide',
  },
})
