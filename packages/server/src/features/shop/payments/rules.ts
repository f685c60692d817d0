import { refusal, refusalIn } from '../../../platform/errors.ts'
import type {
  DeclineReason,
  PaymentObject,
  PaymentState,
} from '../../../platform/payments/gateway.ts'
import { dayMs, minuteMs } from '../../../platform/time.ts'
import type { Attempt, CloseReason, Provider, ProviderMethod } from './repository.ts'
import type { PaymentMethodData } from './schema.ts'

const providerOf: Record<ProviderMethod, Provider> = {
  CardCheckout: 'card',
  WalletPay: 'card',
  CryptoCommerce: 'crypto',
}
export const providerFor = (method: ProviderMethod): Provider => providerOf[method]

/** In cents: the minimum and maximum of a card charge. */
const payable: Record<Provider, readonly [number, number]> = {
  card: [50, 99_999_999],
  crypto: [1, Number.MAX_SAFE_INTEGER],
}

export function isPayable(method: ProviderMethod, amount_in_cents: number): boolean {
  const [least, most] = payable[providerOf[method]]
  return amount_in_cents >= least && amount_in_cents <= most
}

const namedItems = 5

/** The description that the buyer reads at the provider. */
export function describe({ order_id, snapshot }: Attempt): string {
  const { items } = snapshot as { items: { item_type: string; display_format: string | null }[] }
  const boxes = items.filter(({ item_type }) => item_type === 'LootBox').length
  const names = items.flatMap(({ display_format }) => display_format ?? [])
  if (boxes > 0) names.unshift(boxes === 1 ? 'a lootbox' : `${boxes} lootboxes`)
  const more = names.length - namedItems
  const nameList = names.slice(0, namedItems).join(', ') + (more > 0 ? ` and ${more} more` : '')
  return `Order ${order_id.slice(-8)}: ${nameList}`
}

/** Whether it can no longer be paid. */
export const isOver = ({ status }: PaymentState): boolean =>
  status === 'ended' || status === 'settled'

/**
 * An attempt charges its saved card once. After a decline the buyer chooses another payment method.
 */
export const isSpent = ({ payment_method }: Attempt, { is_declined = false }: PaymentState) =>
  payment_method !== null && is_declined

/** The provider's checkout pages are sessions; a saved card is charged without one. */
const isSessionOf = ({ method, success_url, payment_method }: Attempt): boolean =>
  method !== 'CryptoCommerce' && success_url !== null && payment_method === null

/** The payment details of an open attempt. */
export function dataOf(attempt: Attempt, object: PaymentObject): PaymentMethodData {
  const { method, cancel_url, success_url } = attempt
  const { reference, client_secret, checkout_url, methods } = object
  const isCrypto = method === 'CryptoCommerce'
  const isSession = isSessionOf(attempt)
  return {
    method: isCrypto ? 'CryptoCommerce' : 'CardCheckout',
    methods,
    checkout_url,
    cancel_url,
    success_url,
    client_secret: isCrypto || isSession ? '' : client_secret,
    payment_intent_id: isCrypto || isSession ? '' : reference,
    invoice_id: isCrypto ? reference : null,
    session_id: isSession ? reference : null,
  }
}

/** How a Paid order was paid, without payment secrets. */
export function paidDataOf(attempt: Attempt): PaymentMethodData {
  const { method, reference, cancel_url, success_url } = attempt
  const isCrypto = method === 'CryptoCommerce'
  const isSession = isSessionOf(attempt)
  return {
    method: isCrypto ? 'CryptoCommerce' : 'CardCheckout',
    methods: attempt.methods as PaymentMethodData['methods'],
    client_secret: '',
    payment_intent_id: isCrypto || isSession ? '' : (reference ?? ''),
    cancel_url,
    success_url,
    invoice_id: isCrypto ? reference : null,
    session_id: isSession ? reference : null,
  }
}

const lateMoneyMs = 7 * dayMs

/** When to check an attempt again: often while it is open, with a back-off afterwards. */
export function nextCheck(attempt: Attempt, state: PaymentState | undefined, now: Date) {
  const after = (ms: number) => new Date(now.getTime() + ms)
  if (attempt.status === 'open' || !state) return after(minuteMs)
  if (isOver(state) && attempt.provider === 'card') return null
  const age = now.getTime() - attempt.created_at.getTime()
  if (age > lateMoneyMs) return null
  return after(Math.max(minuteMs, age / 4))
}

/** Longer than any call to a provider takes. */
const openingMs = 30_000

/**
 * When to search again for an object that the provider may just be creating; null while the attempt
 * is open.
 */
export function nextSearch({ status, created_at }: Attempt, now: Date): Date | null {
  const isOpening = status === 'closed' && now.getTime() - created_at.getTime() < openingMs
  return isOpening ? new Date(now.getTime() + openingMs) : null
}

const declineSentences: Record<DeclineReason, string> = {
  declined: 'The card was declined and not charged. Choose another payment method.',
  insufficient_funds:
    'The card has insufficient funds and was not charged. Choose another payment method.',
  expired_card: 'The card has expired and was not charged. Choose another payment method.',
}

export const cardDeclined = (reason: DeclineReason) =>
  refusalIn('payment_method_id', 'refused', 'card_declined', declineSentences[reason], reason)

const method = 'payment_method_id'
const releaseRefusals: Record<CloseReason, () => Error> = {
  barred_card: () =>
    refusalIn(
      method,
      'refused',
      'barred_card',
      'We can’t accept this card, and it was not charged. Choose another card, or write to our support.',
    ),
  removed_buyer: () =>
    refusalIn(
      method,
      'refused',
      'removed_buyer',
      'This account can’t buy emoji ids, and the card was not charged.',
    ),
  closed_order: () =>
    refusalIn(
      method,
      'refused',
      'closed_order',
      'This order no longer waits for this payment, and the card was not charged.',
    ),
  risen_price: () =>
    refusalIn(
      method,
      'refused',
      'risen_price',
      'The price has risen meanwhile, and the card was not charged. Check out again.',
    ),
}

export const releasedCard = (reason: CloseReason) => releaseRefusals[reason]()

export const unavailableMethod = (method: string) =>
  refusal('refused', 'unavailable_method', `The payment method ${method} is not available.`)
