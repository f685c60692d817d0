import { html } from '../../../../platform/http/pages/html.ts'
import { messages } from '../../../../platform/http/pages/language.ts'

/** The emailed link that an application waits for. */
export const texts = messages({
  en: {
    title: 'Sign in',
    text: (email: string) => html`You’re about to sign in as <strong>${email}</strong>.`,
    action: 'Sign in',
    closePage: 'If you didn’t request this, close this page. Nothing will happen.',
    expired: { title: 'This link doesn’t work', action: 'Sign in again' },
  },
})
