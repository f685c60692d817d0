import { messages } from '../../language.ts'

/** Sign-in and registration. */
export const texts = messages({
  en: {
    lostDevice: 'Lost your device and backup codes?',
    titles: {
      password: 'Sign in',
      link: 'Sign in by email',
      register: 'Create an account',
      reset: 'Forgot your password?',
      code: 'One more step',
    },
    intros: {
      password: 'Welcome back.',
      link: 'We’ll email you a sign-in link. It works once, within ten minutes.',
      register: 'An email address is enough. A password is optional.',
      reset: 'We’ll email you a link to choose a new password.',
      code: 'Your account has a second factor.',
    },
    linkGone: 'That link was already used or has expired. Sign in here, or request a new link.',
    password: 'Password',
    newPassword: 'Password (optional)',
    newPasswordHint: (least: number) =>
      `Use at least ${least} characters. Without a password, you sign in with emailed links.`,
    signIn: 'Sign in',
    mailLink: 'Email me a link',
    create: 'Create account',
    mailReset: 'Email me a link',
    linkText: 'No password? We’ll email you a link that signs you in.',
    passkey: 'Sign in with a passkey',
    usePassword: 'Sign in with a password',
    forgot: 'Forgot your password?',
    noAccount: 'No account yet?',
    hasAccount: 'Have an account?',
    taken:
      'This account already exists. Sign in, or open the link in our email if you were invited.',
    linkSent: (email: string) =>
      `If ${email} has an account, an email with a link is on its way. Check your spam folder too.`,
    resetSent: (email: string) =>
      `If ${email} has an account, a link is on its way. It’s valid for one hour.`,
    already: (name: string) => `You’re signed in as ${name}.`,
    goOn: 'Continue',
    wanted: {
      label: 'Your choice',
      text: 'It goes into your cart as soon as you’re signed in.',
    },
    owing: (name: string) => `You’re signing in as ${name}.`,
    startOver: 'Start over',
    other: {
      text: (name: string) => `You’re signed in as ${name} in this browser.`,
      action: 'Continue with this account',
    },
    linked: {
      text: 'This link signs you in as',
      whose: 'Continue only if this account is yours: your purchases will belong to it.',
      instead: (present: string) =>
        `This signs you out as ${present}. Continue only if both accounts are yours.`,
      yes: 'Sign in as this account',
      no: 'No',
    },
  },
})
