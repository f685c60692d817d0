import { html } from '../../../platform/http/html.ts'
import { messages } from '../../../platform/http/language.ts'

/** Texts that several pages behind emailed links share. */
export const texts = messages({
  en: {
    toStart: 'Go to the start page',
    keptMails: (address: string) =>
      html`This is the demonstration: mails stay on this machine. <a href="${address}">Read them here</a>`,
    email: 'E-mail address',
    newPassword: 'New password',
    lookIntoMails: 'Look into your mails',
    closePage: 'If you did not ask for this, close the page: nothing changes.',
    /** Access that a new proof of ownership revokes. */
    ended:
      'All API keys, applications that you log in at with your emoji id, transfers that are not completed, changes of payment addresses and lower delay locks that were planned with your account, and mailed links to sign in, to set a password or to change the address end.',
  },
})
