import { messages } from '../../../platform/http/pages/language.ts'

/** The pages for strangers, as far as the server writes them. The words are those of the app. */
export const texts = messages({
  en: {
    name: 'Emoji Id Directory',
    navigation: 'Main',
    skip: 'Skip to content',
    about: 'About this service',
    description: 'Sign in to the Emoji Id Directory, or create an account with your email address.',
    titles: {
      password: 'Sign in',
      link: 'Sign in by email',
      register: 'Create an account',
      reset: 'Forgot your password?',
    },
    intros: {
      password: 'Welcome back.',
      link: 'We’ll email you a sign-in link. It works once, within ten minutes.',
      register: 'An email address is enough. A password is optional.',
      reset: 'We’ll email you a link to choose a new password.',
    },
    email: 'Email address',
    password: 'Password',
    newPassword: 'Password (optional)',
    newPasswordHint: (least: number) =>
      `Use at least ${least} characters. Without a password, you sign in with emailed links.`,
    signIn: 'Sign in',
    mailLink: 'Email me a link',
    create: 'Create account',
    linkText: 'No password? We’ll email you a link that signs you in.',
    passkey: 'Sign in with a passkey',
    usePassword: 'Sign in with a password',
    forgot: 'Forgot your password?',
    noAccount: 'No account yet?',
    hasAccount: 'Have an account?',
    noScript:
      'This page needs scripts. Allow them for this site in your browser, then reload the page.',
    gift: {
      title: 'An emoji id for you',
      text: 'With an emoji id, people find and pay you by typing a few emojis.',
    },
  },
})
