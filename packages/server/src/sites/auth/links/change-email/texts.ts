import { html } from '../../../../platform/http/html.ts'
import { messages } from '../../../../platform/http/language.ts'

/** The link that confirms the new email address of an account. */
export const texts = messages({
  en: {
    title: 'Confirm your new email address',
    question: (email: string) => html`Use <strong>${email}</strong> for your account?`,
    action: 'Use this address',
    firstAddress: 'You stay signed in, and your wallets and public keys stay connected.',
    otherAddress:
      'You’ll be signed out on all devices. All connected wallets and public keys will be removed, since a previous user of the account may own them.',
    done: (email: string, isFirst: boolean) => ({
      title: 'Changed',
      text: `Your email address is now ${email}.${isFirst ? '' : ' Sign in with it.'}`,
    }),
  },
})
