import { messages } from '../../../../platform/http/language.ts'

/** The link that puts payment addresses back. */
export const texts = messages({
  en: {
    title: 'Undo a change',
    question:
      'Addresses behind this emoji id were changed. Put them back as they were before that change? Everything else stays as it is.',
    unneeded: 'These addresses have already been restored.',
    action: 'Undo the change',
    closePage: 'If you made the change yourself, close the page: it stays.',
    done: (emoji_id: string) => ({
      title: 'Undone',
      text: `The addresses behind ${emoji_id} are as they were before that change. If somebody else made it, set a new password now.`,
    }),
  },
})
