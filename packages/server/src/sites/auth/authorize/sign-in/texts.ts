import { messages } from '../../../../platform/http/language.ts'

/** Signing in on the way to an application. */
export const texts = messages({
  en: {
    title: 'Log in with your emoji id',
    link: {
      title: 'With a link that we mail you',
      text: 'For accounts without a password.',
      action: 'Mail me a link',
    },
    password: {
      title: 'With your password',
      field: 'Password',
      action: 'Sign in',
      forgot: 'Forgot your password?',
    },
    unseen: (application: string) =>
      `${application} sees neither your e-mail address nor your password.`,
    back: (application: string) => `Back to ${application} without signing in`,
  },
})
