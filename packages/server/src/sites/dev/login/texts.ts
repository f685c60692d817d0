import { html } from '../../../platform/http/pages/html.ts'
import { messages } from '../../../platform/http/pages/language.ts'

/** A third-party application with “Log in with your emoji id”. */
export const texts = messages({
  en: {
    login: 'Log in with your emoji id',
    foreign: { title: 'Demo App', text: 'This response belongs to another browser. Start again.' },
    pending: {
      title: 'Check your email',
      text: (address: string) =>
        html`Demo App is waiting for you to open the link we emailed you. In this demonstration, find it on the <a href="${address}">development page</a>.`,
    },
    failed: { title: 'Not signed in', text: (error: string) => `The sign-in failed: ${error}.` },
    loggedIn: {
      title: 'Signed in',
      text: 'Demo App knows this emoji id of yours, and nothing else.',
      another: 'Log in with another emoji id',
    },
  },
})
