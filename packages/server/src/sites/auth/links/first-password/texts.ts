import { html } from '../../../../platform/http/html.ts'
import { messages } from '../../../../platform/http/language.ts'

/** Choosing the first password, after a sign-in link. */
export const texts = messages({
  en: {
    title: 'Choose a password',
    titleSignedIn: 'You are signed in',
    signedIn: (email: string) =>
      html`Your address is confirmed, and you are signed in as <strong>${email}</strong>.`,
    text: 'Choose a password now, and you can log in without a mail from here on; sign-in links stop working then.',
    action: 'Set the password and go on',
    goOn: 'Go on',
    skip: 'Go on without a password',
  },
})
