import type { NoticeEvent } from '../../../../features/identity/links/links.ts'
import { html } from '../../../../platform/http/pages/html.ts'
import { messages } from '../../../../platform/http/pages/language.ts'

type Outcome = { event: NoticeEvent; hadPassword: boolean; restored: string | undefined }

/** The link in a security notice. */
export const texts = messages({
  en: {
    title: 'Was this you?',
    events: {
      api_key: 'An API key was created for your account',
      delay_lock: 'The delay lock of one of your emoji ids was changed',
      email: 'The email address of your account was changed',
      member: 'The members of your organization were changed',
      passkey: 'A passkey was added to your account',
      password: 'A password was set for your account',
      pubkey: 'A public key was added to your account',
      refund: 'A refund of one of your orders was requested',
      second_factor: 'A second factor was set up for your account',
      signature: 'A signature to mint one of your emoji ids was issued',
      wallet: 'A wallet was connected to your account',
    } satisfies Record<NoticeEvent, string>,
    text: (event: string, at: string) =>
      `${event} on ${at}. If this wasn’t you, press the button. Then:`,
    signedOut: 'You’ll be signed out on all devices.',
    /** For a former mailbox, which gets the account back. */
    restored: (email: string, since: string) =>
      html`The account gets its address <strong>${email}</strong> back. Second factors, delay locks and members of organizations that this mailbox was notified of since ${since} will be reverted too.`,
    removed:
      'Wallets and public keys added since then will be removed, except keys that hold an emoji id.',
    /** Further effects for a notice of this kind. */
    alsoEnded: {
      delay_lock: 'The delay lock returns to its previous duration.',
      refund: 'The refund request ends, and you keep what you bought.',
      member:
        'The member gets their previous role back. If this member or your own account ended your role since then, you get it back first.',
      second_factor:
        'The second factor set up then, any set up since, and all backup codes will be removed.',
    } as Partial<Record<NoticeEvent, string>>,
    passwordEnds: 'Your password will stop working. We’ll email you a link to set a new password.',
    action: 'This wasn’t me',
    closePage: 'If it was you, close this page. Nothing will change.',
    done: ({ event, hadPassword, restored }: Outcome) => ({
      title: 'Done',
      text: `${restored ? `The account has the address ${restored} again. ` : ''}You’re signed out on all devices, and all API keys and connected apps are revoked. ${
        hadPassword
          ? 'Your password no longer works, and we’ve emailed you a link to set a new one. If you use the same password for your mailbox, change it there too.'
          : 'To sign in again, request a sign-in link.'
      }${
        event === 'member'
          ? ' Then check the members of your organization. If you should own it and don’t, write to our support.'
          : ''
      }`,
    }),
  },
})
