import { messages } from '../../../language.ts'

/** Name, address, password, and the end of an account. */
export const texts = messages({
  en: {
    text: 'Who you are here, and how we reach you.',
    name: {
      title: 'Name',
      text: 'Only you and the operators of this service see it.',
      first: 'First name',
      last: 'Last name',
      save: 'Save the name',
      done: 'Your name is saved.',
    },
    currentPassword: 'Current password',
    wrongPassword: 'This is not your current password.',
    email: {
      title: 'E-mail address',
      current: (email: string) => `Your address is ${email}.`,
      none: (name: string) => `You have none. You sign in as ${name}.`,
      confirmed: 'Confirmed',
      unconfirmed: 'Not confirmed',
      label: 'New address',
      hint: 'Nothing changes before you open the link that we mail there.',
      action: 'Change the address',
      taken: 'Another account has this address.',
      sent: (email: string) =>
        `We mailed a link to ${email}. Open it within a day, and the address is changed.`,
    },
    password: {
      title: 'Password',
      has: 'A new password ends all other sessions.',
      hasNot:
        'You have none, and sign in by links that we mail you. Once you have one, no more links are mailed.',
      label: 'New password',
      hint: 'At least 8 characters.',
      change: 'Change the password',
      set: 'Set a password',
      done: 'Your password is changed. All other sessions are ended.',
      linkText:
        'A first password, and a new address, need a link that was opened within the last 15 minutes. It brings you back here.',
      mailLink: 'Mail me a link',
      mailed: (email: string) => `A link is on its way to ${email}. It works for ten minutes.`,
    },
    remove: {
      title: 'Delete the account',
      text: 'Emoji ids have to be sent to somebody or given back first.',
      action: 'Delete my account',
      dialog: 'Delete your account for good?',
      lost: 'This cannot be undone. You lose:',
      losses: [
        'your way in: sessions, password, second factor',
        'API keys and wallets, and every log-in at an application',
        'your name, address and interests; orders stay for the books, without your name',
      ],
      type: (name: string) => `To go on, type ${name}`,
      mismatch: 'That is not it. Type it exactly as it stands here.',
    },
  },
})
