import { messages } from '../../../../platform/http/language.ts'

/** The link that keeps a delay lock from being lowered. */
export const texts = messages({
  en: {
    title: 'Keep the delay lock',
    text: (hours: number, at: string) =>
      `The delay lock of this emoji id is ${hours === 1 ? '1 hour' : `${hours} hours`}. On ${at} it becomes shorter, or is switched off.`,
    action: 'Keep it as it is',
    closePage: 'If you asked for that yourself, close the page.',
    done: (emoji_id: string) => ({
      title: 'Kept',
      text: `The delay lock of ${emoji_id} stays as it is. If somebody else wanted to change it, set a new password now.`,
    }),
  },
})
