import { randomText } from '../ids.ts'
import type { State } from '../state.ts'
import { divide, toText, toUnits, unitsOf } from './decimal.ts'
import { isCounted, isRefundable, paidUnits, viewPrompts } from './invoices.ts'
import { coinOf, coins, isCoin, isMethodId, payoutMethodIds, rateOf } from './methods.ts'
import type { MethodId, StoredClaim, StoredInvoice } from './objects.ts'
import { invalid, refusalError } from './problems.ts'
import { isGroup } from './requests.ts'

const variants = ['RateThen', 'CurrentRate', 'OverpaidAmount', 'Fiat', 'Custom'] as const

/** Parses BTCPay's refund request. */
export function newClaim(
  state: State,
  invoice: StoredInvoice,
  body: unknown,
  version: string,
): StoredClaim {
  if (!isRefundable(invoice))
    throw refusalError(400, 'non-refundable', 'Cannot refund this invoice')
  if (!isGroup(body)) throw invalid({ path: '', message: 'Send a JSON object.' })
  const variant = variants.find((one) => one === body['refundVariant'])
  if (!variant) throw invalid({ path: 'refundVariant', message: '`refundVariant` is mandatory' })
  const method = readMethod(invoice, body, version)
  const { amount, currency } = amountOf(state, invoice, variant, method, body)
  return {
    id: randomText(28),
    invoice: invoice.id,
    name: typeof body['name'] === 'string' ? body['name'] : `Refund ${invoice.id}`,
    description: typeof body['description'] === 'string' ? body['description'] : '',
    currency,
    amount,
    payoutMethods: [method],
    autoApproveClaims: currency === coinOf(method),
    archived: false,
    destination: null,
  }
}

export const viewClaim = (claim: StoredClaim, origin: string) => ({
  id: claim.id,
  name: claim.name,
  description: claim.description,
  currency: claim.currency,
  amount: claim.amount,
  BOLT11Expiration: '30',
  autoApproveClaims: claim.autoApproveClaims,
  archived: claim.archived,
  viewLink: `${origin}/claim/${claim.id}`,
})

/** The coins of a claim: another currency is converted at the current rate. */
export function coinsOf(state: State, { amount, currency, payoutMethods }: StoredClaim): string {
  const rate = isCoin(currency) ? '1' : rateOf(state, payoutMethods[0] as MethodId, currency)
  return toText(divide(unitsOf(amount), unitsOf(rate ?? '1')), 8)
}

/** The payouts of a claim: BTCPay approves none automatically in another currency. */
export const viewPayouts = (claim: StoredClaim) =>
  claim.destination === null
    ? []
    : [
        {
          id: `${claim.id}-1`,
          revision: claim.isPaid ? 1 : 0,
          pullPaymentId: claim.id,
          date: String(claim.claimed ?? 0),
          destination: claim.destination,
          originalCurrency: claim.currency,
          originalAmount: claim.amount,
          payoutCurrency: coinOf(claim.payoutMethods[0] as MethodId),
          payoutAmount: claim.paidCoins ?? null,
          payoutMethodId: claim.payoutMethods[0],
          state: claim.isPaid
            ? 'Completed'
            : claim.autoApproveClaims
              ? 'AwaitingPayment'
              : 'AwaitingApproval',
          paymentProof: null,
          metadata: {},
        },
      ]

/** The refundable amount of an invoice by one method, at the old and the current rate. */
function refundTrigger(invoice: StoredInvoice, method: MethodId) {
  const prompt = viewPrompts(invoice, true).find(
    ({ paymentMethodId }) => paymentMethodId === method,
  )
  if (!prompt) throw refusalError(400, 'invalid-payment-method', 'Invalid payment method')
  const coin = coinOf(method)
  const over = unitsOf(prompt.totalPaid) - unitsOf(prompt.amount)
  return {
    paymentAmountThen: prompt.totalPaid,
    paymentAmountNow: prompt.totalPaid,
    invoiceAmount: toText(paidUnits(invoice, isCounted), 2),
    paymentCurrency: coin,
    paymentCurrencyDivisibility: coins[coin].places,
    invoiceCurrencyDivisibility: 2,
    invoiceCurrency: invoice.currency,
    overpaidPaymentAmount:
      invoice.additionalStatus === 'PaidOver' ? toText(over, coins[coin].places) : null,
  }
}

const knowsPayoutMethods = (version: string): boolean =>
  version.localeCompare('2.4.1', 'en', { numeric: true }) >= 0

/** Servers before 2.4.1 ignore `payoutMethods`, and use the default without `payoutMethodId`. */
function readMethod(
  invoice: StoredInvoice,
  { payoutMethods, payoutMethodId }: Record<string, unknown>,
  version: string,
): MethodId {
  const offeredMethods = invoice.prompts.map(({ method }) => method)
  const isNamed = knowsPayoutMethods(version) && Array.isArray(payoutMethods)
  const methodId = isNamed ? payoutMethods[0] : (payoutMethodId ?? offeredMethods[0])
  const isPaidOut = isMethodId(methodId) && payoutMethodIds.includes(methodId)
  if (isPaidOut && offeredMethods.includes(methodId)) return methodId
  const message =
    'Please select one of the payment methods which were available for the original invoice'
  throw invalid({ path: isNamed ? 'payoutMethods' : 'payoutMethodId', message })
}

function amountOf(
  state: State,
  invoice: StoredInvoice,
  variant: (typeof variants)[number],
  method: MethodId,
  body: Record<string, unknown>,
): { amount: string; currency: string } {
  const trigger = refundTrigger(invoice, method)
  if (variant === 'Custom') {
    const units = toUnits(String(body['customAmount'] ?? ''))
    const currency = String(body['customCurrency'] ?? '')
    if (!units) throw invalid({ path: 'customAmount', message: 'Amount must be greater than 0' })
    if (!isCoin(currency) && rateOf(state, method, currency) === undefined) {
      throw invalid({ path: 'customCurrency', message: 'Invalid currency' })
    }
    return { amount: toText(units, isCoin(currency) ? 8 : 2), currency }
  }
  for (const path of ['customAmount', 'customCurrency']) {
    if (body[path] !== undefined && body[path] !== null) {
      throw invalid({ path, message: `${path} should only be set if the refundVariant is Custom` })
    }
  }
  if (variant === 'Fiat') return { amount: trigger.invoiceAmount, currency: invoice.currency }
  if (variant !== 'OverpaidAmount') {
    return { amount: trigger.paymentAmountThen, currency: trigger.paymentCurrency }
  }
  if (trigger.overpaidPaymentAmount === null) {
    throw invalid({ path: 'refundVariant', message: 'Invoice is not overpaid' })
  }
  return { amount: trigger.overpaidPaymentAmount, currency: trigger.paymentCurrency }
}
