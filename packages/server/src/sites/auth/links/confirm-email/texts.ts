import { html } from '../../../../platform/http/pages/html.ts'
import { messages } from '../../../../platform/http/pages/language.ts'

/** The link that confirms the email address of a new account. */
export const texts = messages({
  en: {
    title: 'Confirm your email address',
    question: (email: string) =>
      html`An account was created with <strong>${email}</strong>. Was that you?`,
    confirm: 'Yes, this is my address',
    disown: 'This wasn’t me',
    disownHint:
      'If it wasn’t you, we’ll remove the password and everything set up with your address.',
    confirmed: { title: 'Thank you', text: 'Your email address is confirmed.' },
    goOn: 'Continue',
    goOnToCart: 'Continue to your cart',
    disowned: {
      title: 'Removed',
      text: 'We removed everything that was set up with your address and signed out all devices. To use the account yourself, sign in with your address and we’ll email you a link.',
    },
  },
})
