import { html } from '../../../../platform/http/html.ts'
import { messages } from '../../../../platform/http/language.ts'

/** The page on which a person chooses by which emoji id an application knows them. */
export const texts = messages({
  en: {
    title: 'Choose an emoji id',
    wish: 'wants to know you by one of your emoji ids. Which one?',
    goOnAs: (names: string) => `Go on as ${names}`,
    seen: (application: string) =>
      `${application} sees that this id is yours. It does not see your e-mail address or your other ids, and it can change nothing.`,
    none: {
      title: 'No emoji id yet',
      wish: 'wants to know you by an emoji id.',
      text: (application: string) => `Get one, then come back to ${application}.`,
      action: 'Get an emoji id',
    },
    typed: {
      field: 'Another one of yours',
      action: 'Go on with this one',
      notYours: 'This is none of your emoji ids. Type it as it stands in your list.',
    },
    back: (application: string) => `Back to ${application} without choosing`,
    signedInAs: (email: string | null) =>
      html`Signed in as <strong>${email ?? 'a user of an app'}</strong>.`,
    setPassword: (address: string) =>
      html`<a href="${address}">Set a password</a>, and next time you need no mail.`,
  },
})
