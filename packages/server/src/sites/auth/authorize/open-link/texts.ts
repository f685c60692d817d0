import { html } from '../../../../platform/http/html.ts'
import { messages } from '../../../../platform/http/language.ts'

/** The mailed link that an application waits for. */
export const texts = messages({
  en: {
    title: 'Sign in',
    text: (email: string) => html`You are about to sign in as <strong>${email}</strong>.`,
    action: 'Sign in',
    closePage: 'If you did not ask for this, close the page: nothing happens.',
    expired: { title: 'That link does not work', action: 'Sign in again' },
  },
})
