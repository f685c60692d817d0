import { refusal } from '../../../platform/errors.ts'
import type { SavedCard } from '../../../platform/payments/gateway.ts'

/** The card that the owner chose, or the only one. */
export const defaultOf = (
  cards: readonly Pick<SavedCard, 'id'>[],
  defaultCard: string | null,
): string | null => (cards.length === 1 ? (cards[0]?.id ?? null) : defaultCard)

export const unknownPaymentMethod = () =>
  refusal('not_found', 'unknown_payment_method', 'You don’t have this payment method.')
