import { messages } from '../../../../platform/http/language.ts'

/** The link that cancels a change of payment addresses before it takes effect. */
export const texts = messages({
  en: {
    title: 'Cancel a change',
    text: (at: string) => `Payment addresses behind this emoji id change on ${at}:`,
    action: 'Cancel the change',
    closePage: 'If you asked for the change yourself, close the page: it takes effect then.',
    done: (emoji_id: string) => ({
      title: 'Cancelled',
      text: `The payment addresses behind ${emoji_id} stay as they are. If somebody else asked for the change, set a new password now.`,
    }),
  },
})
