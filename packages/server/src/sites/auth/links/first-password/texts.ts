import { html } from '../../../../platform/http/pages/html.ts'
import { messages } from '../../../../platform/http/pages/language.ts'

/** Choosing the first password, after a sign-in link. */
export const texts = messages({
  en: {
    title: 'Choose a password',
    titleSignedIn: 'You’re signed in',
    signedIn: (email: string) =>
      html`Your email address is confirmed, and you’re signed in as <strong>${email}</strong>.`,
    text: 'With a password, you can sign in without an email. Sign-in links then stop working.',
    action: 'Set password and continue',
    goOn: 'Continue',
    skip: 'Continue without a password',
  },
})
