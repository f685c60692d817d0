import { messages } from '../../../platform/http/language.ts'

/** Texts that several authorization pages share. */
export const texts = messages({
  en: {
    waits: 'waits until you are signed in.',
    signInToChoose: 'wants to know you by one of your emoji ids. Sign in to choose it.',
    back: (application: string) => `Back to ${application}`,
    email: 'E-mail address',
    leave: 'Use another account',
  },
})
