import { messages } from '../../../../platform/http/pages/language.ts'

/** The link that restores the previous payment addresses. */
export const texts = messages({
  en: {
    title: 'Undo a change',
    question:
      'Payment addresses of this emoji id were changed. Restore the previous addresses? Everything else stays the same.',
    unneeded: 'These addresses have already been restored.',
    action: 'Undo the change',
    closePage: 'If you made this change, close this page. The change stays.',
    done: (emoji_id: string) => ({
      title: 'Undone',
      text: `The previous addresses of ${emoji_id} are restored. If you didn’t make the change, set a new password now.`,
    }),
  },
})
