import { html } from '../../../../platform/http/pages/html.ts'
import { messages } from '../../../../platform/http/pages/language.ts'

/** The link that sets a new password. */
export const texts = messages({
  en: {
    title: 'New password',
    text: (email: string, ended: string) =>
      html`Choose a new password for <strong>${email}</strong>. You’ll be signed out on all devices. ${ended} It also removes wallets and public keys added after the address was confirmed.`,
    action: 'Set new password',
    done: { title: 'Done', text: 'Your new password is set. Sign in with it.' },
  },
})
