import { messages } from '../../../../platform/http/pages/language.ts'

/** The link that cancels the lowering of a delay lock. */
export const texts = messages({
  en: {
    title: 'Keep the delay lock',
    text: (hours: number, at: string) =>
      `The delay lock of this emoji id is ${hours === 1 ? '1 hour' : `${hours} hours`}. On ${at} it will become shorter or be turned off.`,
    action: 'Keep the current delay lock',
    closePage: 'If you requested this change, close this page.',
    done: (emoji_id: string) => ({
      title: 'Kept',
      text: `The delay lock of ${emoji_id} stays the same. If you didn’t request the change, set a new password now.`,
    }),
  },
})
