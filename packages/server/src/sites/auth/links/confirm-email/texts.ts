import { html } from '../../../../platform/http/html.ts'
import { messages } from '../../../../platform/http/language.ts'

/** The link that confirms the address of a new account. */
export const texts = messages({
  en: {
    title: 'Confirm your address',
    question: (email: string) =>
      html`Somebody registered here with <strong>${email}</strong>. Was that you?`,
    confirm: 'Yes, this is my address',
    disown: 'This was not me',
    disownHint: 'If it was not you, their password and everything they set up here is removed.',
    confirmed: { title: 'Thank you', text: 'Your address is confirmed.' },
    goOn: 'Go on',
    goOnToCart: 'Go on with your cart',
    disowned: {
      title: 'Removed',
      text: 'What somebody set up with your address is removed, and they are signed out. If you want the account for yourself, sign in with your address: we mail you a link.',
    },
  },
})
