import { randomText } from '../ids.ts'
import type { State } from '../state.ts'
import { divide, divideUp, times, toText, type Units, unitsOf } from './decimal.ts'
import { coinOf, coins, newDestination, paymentLink, rateOf } from './methods.ts'
import {
  type InvoiceRequest,
  type MethodId,
  methodIds,
  type Payment,
  type StoredInvoice,
} from './objects.ts'

export function newInvoice(
  state: State,
  request: InvoiceRequest,
  storeId: string,
  now: number,
): StoredInvoice {
  const { amount, currency, metadata, checkout, receipt } = request
  const expirationTime = now + Math.round(checkout.expirationMinutes * 60)
  return {
    id: randomText(22),
    storeId,
    amount: amount ?? '0',
    currency,
    metadata,
    checkout,
    receipt,
    type: amount === null ? 'TopUp' : 'Standard',
    createdTime: now,
    expirationTime,
    monitoringExpiration: expirationTime + Math.round(checkout.monitoringMinutes * 60),
    status: 'New',
    additionalStatus: 'None',
    archived: false,
    prompts: methodIds
      .filter((method) => checkout.paymentMethods.includes(method))
      .flatMap((method) => {
        const rate = rateOf(state, method, currency)
        if (rate === undefined) return []
        return [{ method, destination: newDestination(method), rate, payments: [] }]
      }),
  }
}

export const paymentsOf = (invoice: StoredInvoice): Payment[] =>
  invoice.prompts.flatMap(({ payments }) => payments)

type Part = (payment: Payment) => Units

const grossOf: Part = ({ value }) => unitsOf(value)
const feeOf: Part = ({ fee }) => unitsOf(fee)
const netOf: Part = (payment) => grossOf(payment) - feeOf(payment)

function sumUnits(
  invoice: StoredInvoice,
  counts: (payment: Payment) => boolean,
  part: Part,
): Units {
  return invoice.prompts
    .flatMap(({ rate, payments }) =>
      payments.filter(counts).map((payment) => times(part(payment), unitsOf(rate))),
    )
    .reduce((sum, units) => sum + units, 0n)
}

/** The paid amount net of fees in the currency of the invoice, over the counted payments. */
export const paidUnits = (invoice: StoredInvoice, counts: (payment: Payment) => boolean): Units =>
  sumUnits(invoice, counts, netOf)

export const isCounted = ({ status }: Payment): boolean => status !== 'Invalid'

/** The states that an operator may set by hand. */
export function markableStatuses({
  status,
  additionalStatus,
}: StoredInvoice): ('Settled' | 'Invalid')[] {
  const isMarked = additionalStatus === 'Marked'
  const canSettle = status !== 'Settled'
  const canInvalidate =
    !['Settled', 'Invalid'].includes(status) || (status === 'Settled' && isMarked)
  return [
    ...(canSettle ? (['Settled'] as const) : []),
    ...(canInvalidate ? (['Invalid'] as const) : []),
  ]
}

export const isRefundable = ({ status, additionalStatus }: StoredInvoice): boolean =>
  ['Settled', 'Invalid'].includes(status) ||
  (status === 'Expired' && ['PaidLate', 'PaidOver', 'PaidPartial'].includes(additionalStatus))

/** The invoice in a response. */
export function viewInvoice(invoice: StoredInvoice, origin: string) {
  const { prompts: _prompts, ...view } = invoice
  return {
    ...view,
    paidAmount: toText(paidUnits(invoice, isCounted), 2),
    checkoutLink: `${origin}/pay/invoice/${invoice.id}`,
    availableStatusesForManualMarking: markableStatuses(invoice),
  }
}

export function viewPrompts(invoice: StoredInvoice, onlyAccounted: boolean) {
  return invoice.prompts.map(({ method, destination, rate, fee = '0', payments }) => {
    const coin = coinOf(method)
    const { places } = coins[coin]
    const rest = unitsOf(invoice.amount) - paidUnits(invoice, isCounted)
    const nextFee = rest > 0n ? times(unitsOf(fee), unitsOf(rate)) : 0n
    const price = unitsOf(invoice.amount) + sumUnits(invoice, isCounted, feeOf) + nextFee
    const inCoin = (units: Units) => divideUp(units, unitsOf(rate), places)
    const amount = inCoin(price)
    const paidHere = payments.filter(isCounted).reduce((sum, { value }) => sum + unitsOf(value), 0n)
    const paidElsewhere = sumUnits(
      { ...invoice, prompts: invoice.prompts.filter((prompt) => prompt.method !== method) },
      isCounted,
      grossOf,
    )
    const totalPaid = paidHere + divide(paidElsewhere, unitsOf(rate))
    // BTCPay does not cap it: an overpayment is a negative due amount.
    const due = rest > 0n ? inCoin(rest + nextFee) : amount - totalPaid
    const format = (units: Units) => toText(units, places)
    return {
      paymentMethodId: method,
      currency: coin,
      destination,
      rate,
      paymentLink: paymentLink(method, destination, format(due > 0n ? due : 0n)),
      paymentMethodPaid: format(paidHere),
      totalPaid: format(totalPaid),
      due: format(due),
      amount: format(amount),
      paymentMethodFee: format(unitsOf(fee)),
      payments: onlyAccounted ? payments.filter(isCounted) : payments,
      activated: true,
      additionalData: additionalData(method),
    }
  })
}

const additionalData = (method: MethodId): object =>
  method === 'BTC-CHAIN'
    ? {
        keyPath: '0/0',
        payjoinEnabled: false,
        recommendedFeeRate: '1.0',
        paymentMethodFeeRate: '1.0',
      }
    : {}
