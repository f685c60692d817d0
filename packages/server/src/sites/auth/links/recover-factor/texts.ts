import { html } from '../../../../platform/http/html.ts'
import { messages } from '../../../../platform/http/language.ts'

/** Removing a lost second factor: asking for it, beginning to wait, and finishing. */
export const texts = messages({
  en: {
    lost: {
      title: 'Lost your second factor?',
      text: 'If you still have a backup code, use it instead of the code. If you lost both, your mailbox can remove the second factor. That takes three days, in which any code that is given ends it, and two links that we mail you.',
      action: 'Mail me a link',
      mailed: 'If an account with this address has a second factor, a link is on its way.',
    },
    title: 'Remove a lost second factor',
    begin: {
      question: (email: string) =>
        html`Remove the second factor of <strong>${email}</strong> because you lost it and its backup codes?`,
      text: 'It takes three days, and then another link, which we mail you now. We tell your phone too, if codes come by text message. A code that is given meanwhile ends it.',
      action: 'Begin to wait',
      done: (from: string) => ({
        title: 'The wait has begun',
        text: `From ${from} on, the link in the mail that comes now removes the second factor.`,
      }),
    },
    finish: {
      question: (email: string) =>
        html`Remove the second factor of <strong>${email}</strong> now? Everybody is signed out, and logging in asks for no code any more.`,
      action: 'Remove the second factor',
      early: 'Not yet',
      earlyText: (email: string, from: string) =>
        html`The second factor of <strong>${email}</strong> can be removed from ${from} on. Open this link again then.`,
      done: {
        title: 'Removed',
        text: 'Your second factor is removed. Log in, and set up a new one.',
      },
    },
  },
})
