import { language } from '../language.ts'

const dollars = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' })

/** An amount as text, with a real minus sign. */
export const moneyText = (cents: number): string => dollars.format(cents / 100).replace('-', '−')

/** Shows an amount, the same way on all pages. */
export const Money = ({ cents }: { cents: number }) => (
  <span className="whitespace-nowrap tabular-nums">{moneyText(cents)}</span>
)
