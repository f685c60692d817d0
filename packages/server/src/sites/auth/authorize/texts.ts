import { messages } from '../../../platform/http/pages/language.ts'

/** Texts that several authorization pages share. */
export const texts = messages({
  en: {
    waits: 'is waiting for you to sign in.',
    signInToChoose: 'wants to know you by one of your emoji ids. Sign in to choose it.',
    back: (application: string) => `Return to ${application}`,
    email: 'Email address',
    leave: 'Use another account',
    leaveHint: 'This also signs you out at our web site, in this browser.',
  },
})
