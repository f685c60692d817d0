import { messages } from '../../../../platform/http/pages/language.ts'

/** The link that cancels a change of payment addresses before it takes effect. */
export const texts = messages({
  en: {
    title: 'Cancel a change',
    text: (at: string) => `The payment addresses of this emoji id will change on ${at}:`,
    action: 'Cancel the change',
    closePage: 'If you requested this change, close this page. It will take effect as planned.',
    done: (emoji_id: string) => ({
      title: 'Cancelled',
      text: `The payment addresses of ${emoji_id} stay the same. If you didn’t request the change, set a new password now.`,
    }),
  },
})
