import { messages } from '../../language.ts'

/** Signing in and registering. */
export const texts = messages({
  en: {
    lostDevice: 'Lost your device and backup codes?',
    titles: {
      password: 'Sign in',
      link: 'Sign in by mail',
      register: 'Create an account',
      reset: 'Forgotten password',
      code: 'One more step',
    },
    intros: {
      password: 'Welcome back.',
      link: 'We mail you a link that signs you in, once, within ten minutes.',
      register: 'An e-mail address is enough. A password is up to you.',
      reset: 'We mail you a link to a page where you choose a new one.',
      code: 'Your account has a second factor.',
    },
    linkGone: 'That link was used already or is too old. Sign in here, or have a new one mailed.',
    password: 'Password',
    newPassword: 'Password (optional)',
    newPasswordHint: 'At least 8 characters. Without one, you sign in by links that we mail you.',
    signIn: 'Sign in',
    mailLink: 'Mail me a link',
    create: 'Create the account',
    mailReset: 'Mail me a link',
    useLink: 'Mail me a link instead',
    usePassword: 'Sign in with a password',
    forgot: 'Forgotten password?',
    noAccount: 'No account yet?',
    hasAccount: 'Have an account?',
    linkSent: (email: string) =>
      `If ${email} can have a link, it is on its way. Look into your mailbox, also among spam. Accounts that have a password get none: sign in with it instead.`,
    resetSent: (email: string) =>
      `If ${email} has an account here, a link is on its way. It works for one hour.`,
    already: (name: string) => `You are signed in as ${name}.`,
    goOn: 'Go on',
    owing: (name: string) => `You are signing in as ${name}.`,
    startOver: 'Start over',
    linked: {
      text: 'The link that you opened signs you in as',
      whose: 'Go on only if this account is yours: what you buy belongs to it.',
      instead: (present: string) =>
        `You are signed in as ${present} now, which ends. Go on only if both accounts are yours.`,
      yes: 'Sign in as this account',
      no: 'No',
    },
  },
})
