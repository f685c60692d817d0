import { messages } from '../../../../platform/http/language.ts'

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** An id that is not registered. */
export const texts = messages({
  en: {
    title: 'This id is free',
    text: (names: string) =>
      `${capital(names)} is not registered, so nobody can be paid here. If somebody gave you this id, ask them for it again.`,
    get: (price_in_cents: number) => `Get it for ${money.format(price_in_cents / 100)}`,
    unavailable: {
      title: 'Nobody has this id',
      text: 'It cannot be had right now.',
      action: 'See similar ids',
    },
  },
})
