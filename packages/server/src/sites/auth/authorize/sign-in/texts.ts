import { messages } from '../../../../platform/http/pages/language.ts'

/** Sign-in on behalf of an application. */
export const texts = messages({
  en: {
    title: 'Log in with your emoji id',
    link: {
      title: 'With an emailed link',
      text: 'If your account has no password, the link signs you in. If it has one, the email says how to sign in.',
      action: 'Email me a link',
    },
    password: {
      title: 'With your password',
      field: 'Password',
      action: 'Sign in',
      forgot: 'Forgot your password?',
    },
    unseen: (application: string) =>
      `${application} can’t see your email address or your password.`,
    back: (application: string) => `Return to ${application} without signing in`,
  },
})
