import { html } from '../../../../platform/http/html.ts'
import { messages } from '../../../../platform/http/language.ts'

/** The link that signs in without a password. */
export const texts = messages({
  en: {
    title: 'Sign in',
    text: (email: string) => html`You are about to sign in as <strong>${email}</strong>.`,
    action: 'Sign in',
    expired: 'That link does not work',
    again: 'Mail me a new link',
    mailed: 'If this address can have a link, it is on its way.',
  },
})
