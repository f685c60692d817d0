import { html } from '../../../../platform/http/pages/html.ts'
import { messages } from '../../../../platform/http/pages/language.ts'

/** The link that signs in without a password. */
export const texts = messages({
  en: {
    title: 'Sign in',
    text: (email: string) => html`You’re about to sign in as <strong>${email}</strong>.`,
    action: 'Sign in',
    expired: 'This link doesn’t work',
    again: 'Email me a new link',
    mailed:
      'If this address has an account, we’ve sent it an email. If the account has a password, the email says how to sign in.',
  },
})
