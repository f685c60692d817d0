import { type Html, html } from '../../../platform/http/pages/html.ts'
import { messages } from '../../../platform/http/pages/language.ts'

/** The start page of the demonstration. */
export const texts = messages({
  en: {
    title: 'Development',
    text: 'This demonstration runs on your machine. Nothing leaves it.',
    tryIt: 'Try it',
    login: {
      title: 'Log in with your emoji id',
      text: 'See what a third-party application gets.',
      action: 'Log in to Demo App with your emoji id',
    },
    wallet: {
      title: 'Pay an emoji id',
      text: 'See how a wallet pays it, with play money.',
      action: 'Open the demonstration wallet',
    },
    messages: {
      title: 'Messages',
      none: 'No emails or text messages yet.',
      text: (jsonUrl: string) =>
        html`Captured emails and text messages, newest first. All of them as <a href="${jsonUrl}">JSON</a>.`,
      sms: 'Text message',
      to: (address: string, at: Html) => html`To <strong>${address}</strong>, ${at}`,
    },
  },
})
