import type { SavedCard } from '../api/payment-methods.ts'
import { texts } from './texts.ts'

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** The name of a card without its number. */
export const cardName = ({ brand, last4 }: SavedCard): string =>
  texts.card.named(brand ? capital(brand) : texts.card.unknownBrand, last4 ?? '····')
