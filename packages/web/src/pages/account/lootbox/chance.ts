import { accountTexts } from '../../../texts/en-account.ts'

const texts = accountTexts.odds
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 3 })
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const tenths = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** How likely something is, so that nobody has to reckon. */
export function chanceInWords(probability: number): string {
  if (probability >= 1) return texts.always
  if (probability <= 0) return texts.never
  if (probability > 0.999) return texts.almostAlways
  const share = percent.format(probability)
  // One in 1.3 tells nobody anything.
  if (probability > 0.5) return share
  const oneIn = 1 / probability
  return `${share} (${texts.oneIn(oneIn < 10 ? tenths.format(oneIn) : whole.format(oneIn))})`
}
