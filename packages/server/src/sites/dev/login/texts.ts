import { html } from '../../../platform/http/html.ts'
import { messages } from '../../../platform/http/language.ts'

/** An application of others, in which one logs in with an emoji id. */
export const texts = messages({
  en: {
    login: 'Log in with your emoji id',
    foreign: { title: 'Demo App', text: 'This answer is not to a question of this browser.' },
    pending: {
      title: 'Check your mail',
      text: (address: string) =>
        html`Demo App waits until you open the link that was mailed to you. In this demonstration mails are at the <a href="${address}">development page</a>.`,
    },
    failed: { title: 'Not logged in', text: (error: string) => `The answer was: ${error}.` },
    loggedIn: {
      title: 'Logged in',
      text: 'Demo App knows you by this emoji id, and knows nothing else of you.',
      another: 'Log in with another one',
    },
  },
})
