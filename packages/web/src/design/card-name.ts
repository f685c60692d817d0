import type { Card } from '../api/payment-methods.ts'
import { texts } from './texts.ts'

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The name of a card without its number. */
export const cardName = ({ brand, last4 }: Card): string =>
  texts.card.named(brand ? capital(brand) : texts.card.unknownBrand, last4 ?? '····')
