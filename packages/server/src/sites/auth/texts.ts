import { messages } from '../../platform/http/pages/language.ts'

/** The root page of this site, for visitors without a link. */
export const texts = messages({
  en: {
    title: 'Sign-in',
    text: 'You sign in here, for us and for applications that use “Log in with your emoji id”. Open the link we emailed you, or start from the application.',
  },
})
