import parsePhoneNumber, { type CountryCode, isSupportedCountry } from 'libphonenumber-js/max'

/** North American numbers do not tell mobile phones from fixed lines. */
const mobileTypes = new Set(['MOBILE', 'FIXED_LINE_OR_MOBILE'])

export type Country = CountryCode

export type Phone = {
  /** The number in E.164 form: one text for one phone, so that limits per number hold. */
  number: string
  country: Country
  isMobile: boolean
}

export type SmsLimits = {
  countries: ReadonlySet<Country>
  perCountry: number
  perDay: number
}

export const isCountry = (text: string): text is Country => isSupportedCountry(text)

/** Undefined if no country has such a number. */
export function parsePhone(text: string): Phone | undefined {
  const parsedPhone = parsePhoneNumber(text)
  if (!parsedPhone?.country || !parsedPhone.isValid()) return undefined
  return {
    number: parsedPhone.number,
    country: parsedPhone.country,
    isMobile: mobileTypes.has(parsedPhone.getType() ?? ''),
  }
}
