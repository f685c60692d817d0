import { language } from '../../../language.ts'
import { oddsTexts as texts } from './texts.ts'

const percent = new Intl.NumberFormat(language, { style: 'percent', maximumSignificantDigits: 3 })
const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 })
const tenths = new Intl.NumberFormat(language, { maximumFractionDigits: 1 })

/** A probability as “1 in N” or as a percentage. */
export function chanceInWords(probability: number): string {
  if (probability >= 1) return texts.always
  if (probability <= 0) return texts.never
  if (probability > 0.999) return texts.almostAlways
  const share = percent.format(probability)
  // “1 in 1.3” is hard to read.
  if (probability > 0.5) return share
  const oneIn = 1 / probability
  return `${share} (${texts.oneIn(oneIn < 10 ? tenths.format(oneIn) : whole.format(oneIn))})`
}
