import { html } from '../../../../platform/http/pages/html.ts'
import { messages } from '../../../../platform/http/pages/language.ts'

/** The link that confirms the new email address of an account. */
export const texts = messages({
  en: {
    title: 'Confirm your new email address',
    question: (email: string) => html`Use <strong>${email}</strong> for your account?`,
    action: 'Use this address',
    firstAddress:
      'You’ll be signed in here and signed out everywhere else. The account loses its old password, second factor, API keys, connected apps, wallets and public keys, and its open transfers and planned changes are cancelled, since another person may have set them up.',
    formerAddress: (email: string) =>
      html`The address was <strong>${email}</strong>. The password does not change. If that is not your address, close this page.`,
    otherAddress:
      'You’ll be signed out on all devices. All connected wallets and public keys will be removed, since a previous user of the account may own them. For three days the former address also gets security notices, and can take back the account with everything in it. Until then, emoji ids can’t leave the account.',
    done: (email: string) => ({
      title: 'Changed',
      text: `Your email address is now ${email}. Sign in with it.`,
    }),
  },
})
