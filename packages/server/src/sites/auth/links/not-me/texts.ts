import type { ToldEvent } from '../../../../features/identity/links/index.ts'
import { messages } from '../../../../platform/http/language.ts'

/** The link of a notice that says what was done with the account. */
export const texts = messages({
  en: {
    title: 'Was this you?',
    events: {
      api_key: 'An API key was made for your account',
      delay_lock: 'The delay lock of one of your emoji ids was changed',
      member: 'Who is a member of your organization was changed',
      pubkey: 'A public key was added to your account',
      second_factor: 'A second factor was set up for your account',
      signature: 'A signature to mint one of your emoji ids was given',
      wallet: 'A wallet was connected to your account',
    } satisfies Record<ToldEvent, string>,
    text: (event: string, at: string) =>
      `${event} on ${at}. If that was not you, press the button. Then:`,
    signedOut: 'Everybody is signed out of your account, you too.',
    removed:
      'Wallets, and public keys whose private half is elsewhere, that were added since then are removed, except a key that an emoji id is bound to.',
    /** Further effects for notices of this kind. */
    alsoEnded: {
      delay_lock: 'The delay lock lasts as long as it did before.',
      member: 'If you still own the organization, that member is what they were before.',
      second_factor:
        'The second factor that was set up then is removed, and any that was set up since, with all backup codes.',
    } as Partial<Record<ToldEvent, string>>,
    passwordEnds: 'Your password does not work any more. We mail you a link to set a new password.',
    action: 'This was not me',
    closePage: 'If it was you, close the page: nothing changes.',
    done: (hadPassword: boolean) => ({
      title: 'Done',
      text: `Everybody is signed out of your account, and its API keys and applications have no access any more. ${
        hadPassword
          ? 'Your password does not work any more: a link to set a new one is on its way to you, and you can ask for another where you log in. If you use the same password for your mailbox, change it there too.'
          : 'To get in again, ask for a link where you log in.'
      }`,
    }),
  },
})
