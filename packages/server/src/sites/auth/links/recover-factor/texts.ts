import { html } from '../../../../platform/http/pages/html.ts'
import { messages } from '../../../../platform/http/pages/language.ts'

/** Removal of a lost second factor: request, three-day wait, completion. */
export const texts = messages({
  en: {
    lost: {
      title: 'Lost your second factor?',
      text: 'If you have a backup code, enter it instead of the code. Otherwise we can remove the second factor by email: it takes three days and two links, and signing in with a code cancels it.',
      action: 'Email me a link',
      mailed: 'If an account with this address has a second factor, we’ve emailed it a link.',
    },
    title: 'Remove a lost second factor',
    begin: {
      question: (email: string) =>
        html`Remove the second factor of <strong>${email}</strong> because you lost it and your backup codes?`,
      text: 'Removal takes three days, and we’ll email you a second link to complete it. Signing in with a code cancels it; if you get codes by text message, we’ll also text your phone.',
      action: 'Start the three-day wait',
      done: (from: string) => ({
        title: 'The three-day wait has started',
        text: `We’ve emailed you a second link. From ${from} on, open it to remove the second factor.`,
      }),
    },
    finish: {
      question: (email: string) =>
        html`Remove the second factor of <strong>${email}</strong> now? You’ll be signed out on all devices, and signing in won’t need a code.`,
      action: 'Remove the second factor',
      early: 'Not yet',
      earlyText: (email: string, from: string) =>
        html`You can remove the second factor of <strong>${email}</strong> from ${from} on. Open this link again then.`,
      done: {
        title: 'Removed',
        text: 'Your second factor is removed. Sign in and set up a new one.',
      },
    },
  },
})
