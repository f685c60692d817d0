import { html } from '../../../../platform/http/pages/html.ts'
import { messages } from '../../../../platform/http/pages/language.ts'

/** The page on which a person chooses the emoji id to share with an application. */
export const texts = messages({
  en: {
    title: 'Choose an emoji id',
    wish: 'wants to know you by one of your emoji ids. Which one?',
    goOnAs: (names: string) => `Continue as ${names}`,
    seen: (application: string) =>
      `${application} sees that this id is yours. It can’t see your email address or your other ids, and it can’t change anything.`,
    none: {
      title: 'No emoji id yet',
      wish: 'wants to know you by an emoji id.',
      text: (application: string) =>
        `Get one, then return to ${application} with the bar above the page.`,
      action: 'Get an emoji id',
    },
    typed: {
      field: 'Another emoji id of yours',
      action: 'Continue with this id',
      notYours: 'This emoji id isn’t yours. Enter it exactly as it appears in your list.',
    },
    back: (application: string) => `Return to ${application} without choosing`,
    signedInAs: (email: string | null) =>
      html`Signed in as <strong>${email ?? 'a user of an application'}</strong>.`,
    setPassword: (address: string) =>
      html`<a href="${address}">Set a password</a>, and sign in without an email next time.`,
  },
})
