import { html } from '../../../../platform/http/pages/html.ts'
import { messages } from '../../../../platform/http/pages/language.ts'

/** Choosing a first password while signing in to an application. */
export const texts = messages({
  en: {
    title: 'Choose a password',
    signedIn: (email: string) => html`You’re signed in as <strong>${email}</strong>.`,
    text: 'With a password, you can sign in without an email. Sign-in links then stop working.',
    password: (least: number) => `New password, at least ${least} characters`,
    action: 'Set password and continue',
    skip: (application: string) => `Continue to ${application} without a password`,
  },
})
