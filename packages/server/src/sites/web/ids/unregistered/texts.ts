import { messages } from '../../../../platform/http/pages/language.ts'

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** An unregistered id. */
export const texts = messages({
  en: {
    title: 'This emoji id is available',
    text: (names: string) =>
      `${capital(names)} isn’t registered, so you can’t pay it. If you got this id from a person you want to pay, check it with them.`,
    get: (price_in_cents: number) => `Get it for ${money.format(price_in_cents / 100)}`,
    unavailable: {
      title: 'This emoji id isn’t registered',
      text: 'It isn’t for sale right now.',
      action: 'See similar ids',
    },
    unknown: { action: 'See whether it’s available' },
  },
})
