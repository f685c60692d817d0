import { messages } from '../../../../platform/http/pages/language.ts'

/** The return of a person who left the id selector to get an id. */
export const texts = messages({
  en: {
    title: 'Please start again',
    text: 'No application is waiting for you in this browser. Start the sign-in there again.',
  },
})
