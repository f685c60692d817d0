import { messages } from '../../../../platform/http/pages/language.ts'

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A suspended id. */
export const texts = messages({
  en: {
    title: 'This emoji id is suspended',
    text: (names: string) =>
      `${capital(names)} can’t be used right now. Don’t send payments to addresses that you got from it earlier.`,
    owner: 'Is it yours? Write to us:',
  },
})
