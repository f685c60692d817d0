import { messages } from '../../../language.ts'

/** Name, email address, password and account deletion. */
export const texts = messages({
  en: {
    text: 'Your name, and how you sign in.',
    name: {
      title: 'Name',
      text: 'Only you and the operators of this service see it.',
      first: 'First name',
      last: 'Last name',
      save: 'Save name',
      done: 'Name saved.',
    },
    currentPassword: 'Current password',
    wrongPassword: 'Wrong password. Try again.',
    email: {
      title: 'Email address',
      current: (email: string) => `Your address is ${email}.`,
      none: (name: string) => `No email address. You sign in as ${name}.`,
      confirmed: 'Confirmed',
      unconfirmed: 'Not confirmed',
      label: 'New address',
      hint: 'The change takes effect when you open the link we email there.',
      firstHint:
        'Open the link we email there. It signs you in with this address, and removes the old password and all other access.',
      action: 'Change address',
      taken: 'Another account uses this address.',
      former: (email: string) =>
        `Your former address ${email} also gets security notices and can take the change back. Until then, emoji ids can’t leave your account:`,
      pending: (email: string) =>
        `We emailed a link to ${email}. Open it within a day to change your address.`,
    },
    password: {
      title: 'Password',
      has: 'A new password signs out all other sessions.',
      hasNot:
        'You have no password and sign in with emailed links. Once you set one, links no longer work.',
      label: 'New password',
      hint: (least: number) => `Use at least ${least} characters.`,
      change: 'Change password',
      set: 'Set password',
      done: 'Password changed. All other sessions are signed out.',
      linkText:
        'To set a first password or a new address, sign in again with a link that we email you. It brings you back here.',
      mailLink: 'Email me a link',
      mailed: (email: string) => `A link is on its way to ${email}. It’s valid for ten minutes.`,
    },
    export: {
      title: 'Your data',
      text: 'Download a file with your profile, emoji ids, orders, transfers and sign-ins. It contains no passwords or private keys.',
      action: 'Download my data',
      done: 'Your data is downloaded.',
    },
    remove: {
      title: 'Delete account',
      text: 'Transfer or release your emoji ids first.',
      action: 'Delete my account',
      dialog: 'Permanently delete your account?',
      lost: 'This can’t be undone. You lose:',
      losses: [
        'access to your account: sessions, password, second factor',
        'API keys, wallets and connected apps',
        'your name, email address and watchlist',
      ],
      kept: 'These stay on record without your name and email address:',
      keepings: [
        'orders, payments and refunds, because the law requires us to keep our books',
        'past transfers, so that an emoji id has a complete history',
        'the audit log of security events, to investigate fraud',
        'reports about emoji ids that you owned, for one year after our decision',
        'if one of your emoji ids was reported or suspended: codes that recognise your mailbox and cards, for a limited time, against fraud',
      ],
      type: (name: string) => `To confirm, type ${name}`,
      mismatch: 'That doesn’t match. Type it exactly as shown.',
    },
  },
})
