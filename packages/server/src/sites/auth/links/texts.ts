import { html } from '../../../platform/http/pages/html.ts'
import { messages } from '../../../platform/http/pages/language.ts'

/** Texts that several pages behind emailed links share. */
export const texts = messages({
  en: {
    toStart: 'Go to the start page',
    mailPageUrl: (address: string) =>
      html`In this demonstration, emails stay on this machine. <a href="${address}">Read them here</a>`,
    email: 'Email address',
    newPassword: 'New password',
    lookIntoMails: 'Check your email',
    closePage: 'If you didn’t request this, close this page. Nothing will change.',
    /** Everything that a new proof of ownership revokes. */
    ended:
      'This revokes all API keys, connected apps and emailed links, and cancels open transfers, waiting changes of payment addresses and of delay locks.',
  },
})
