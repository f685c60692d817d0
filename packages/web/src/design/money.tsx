import { language } from '../language.ts'

const dollars = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' })

/** Money within a sentence. What is taken off has a real minus. */
export const moneyText = (cents: number): string => dollars.format(cents / 100).replace('-', '−')

/** The one way to show money. */
export const Money = ({ cents }: { cents: number }) => (
  <span className="whitespace-nowrap tabular-nums">{moneyText(cents)}</span>
)
