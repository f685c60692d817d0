import { html } from '../../../../platform/http/html.ts'
import { messages } from '../../../../platform/http/language.ts'

/** The link that confirms another address for an account. */
export const texts = messages({
  en: {
    title: 'Confirm your new address',
    question: (email: string) => html`Use <strong>${email}</strong> for your account from now on?`,
    action: 'Yes, use this address',
    firstAddress: 'Sessions, wallets and public keys stay.',
    otherAddress:
      'Everybody is signed out of the account then, you too, and all wallets and public keys that were added are removed, since they may be of somebody who had the account before you.',
    done: (email: string, isFirst: boolean) => ({
      title: 'Changed',
      text: `Your address is ${email} now.${isFirst ? '' : ' Log in again with it.'}`,
    }),
  },
})
