/** A decimal number as an integer of its smallest units, so that no cent is lost. */
export type Units = bigint

const places = 18
const one: Units = 10n ** BigInt(places)

/** Parses `12.34`; undefined if invalid. */
export function toUnits(text: string): Units | undefined {
  const [, whole = '', rest = ''] = /^(\d{1,15})(?:\.(\d{1,18}))?$/.exec(text) ?? []
  if (whole === '') return undefined
  return BigInt(whole) * one + BigInt(rest.padEnd(places, '0'))
}

/** Throws for a text that is no number. */
export function unitsOf(text: string): Units {
  const units = toUnits(text)
  if (units === undefined) throw new Error('This is not a decimal number.')
  return units
}

/** Shows `digits` decimal places, rounded down. */
export function toText(units: Units, digits: number): string {
  const sign = units < 0n ? '-' : ''
  const size = units < 0n ? -units : units
  const rest = String(size % one)
    .padStart(places, '0')
    .slice(0, digits)
  return `${sign}${size / one}${digits > 0 ? `.${rest}` : ''}`
}

export const times = (a: Units, b: Units): Units => (a * b) / one

export const divide = (a: Units, b: Units): Units => (a * one) / b

/** Divides and rounds up to so many places, so that no less than the amount due is requested. */
export function divideUp(a: Units, b: Units, digits: number): Units {
  const step = 10n ** BigInt(places - digits)
  const exact = a * one
  const steps = (exact + b * step - 1n) / (b * step)
  return steps * step
}
