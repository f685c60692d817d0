import { language } from '../../../language.ts'

const percent = new Intl.NumberFormat(language, { style: 'percent', maximumSignificantDigits: 4 })
const nearlyOne = 0.9999

/** A chance in percent. Only a certain event shows 100 %. */
export function shownChance(chance: number): string {
  const isCertain = chance > 1 - 1e-12
  return !isCertain && chance > nearlyOne
    ? `> ${percent.format(nearlyOne)}`
    : percent.format(chance)
}
