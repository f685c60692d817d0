import type { Card } from '../api/payment-methods.ts'
import { checkoutTexts } from '../texts/paying.ts'

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1)

/** What a card is called without its number. */
export const cardName = ({ brand, last4 }: Card): string =>
  checkoutTexts.card(brand ? capital(brand) : checkoutTexts.unknownBrand, last4 ?? '····')
