import { messages } from '../language.ts'

/** Texts of the prompt for a recent sign-in, loaded with it. */
export const texts = messages({
  en: {
    title: 'Is it still you?',
    text: 'You signed in a while ago. What you are about to do gives lasting access, so confirm that it’s you.',
    password: 'Your password',
    go: 'Continue',
    cancel: 'Not now',
    linkText: 'Sign in with a link that we email you. Then continue here.',
    mailLink: 'Email me a link',
    mailed: (email: string) => `A link is on its way to ${email}. Open it in this browser.`,
    otherWay: 'Sign out and in again, then repeat what you were doing.',
  },
})
