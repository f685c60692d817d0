import type { PaymentState } from './gateway.ts'

export type Invoice = {
  id: string
  currency: string
  status: string
  additionalStatus: string
  checkoutLink: string
  createdTime: number
  metadata: { orderId?: unknown } | null
}

type Payment = {
  id: string
  value: string
  /** Of the value, what BTCPay does not count: the cost of a further payment on chain. */
  fee: string
  status: string
}

export type Method = {
  paymentMethodId: string
  currency: string
  destination: string | null
  rate: string
  due: string
  activated: boolean
  payments: Payment[]
}

/** How an invoice stands, and what was paid on it. */
export function stateOf(invoice: Invoice, methods: readonly Method[]): PaymentState {
  const orderId = invoice.metadata?.orderId
  const paid = methods.flatMap(({ rate, payments }) =>
    payments.map(({ id, value, fee, status }) => ({
      status,
      reference: id,
      amount_in_cents: centsOf(value, fee, rate),
    })),
  )
  const counted = invoice.currency === 'USD' ? paid : []
  const seen = counted.filter(({ status }) => status === 'Settled' || status === 'Processing')
  return {
    attempt_id: typeof orderId === 'string' ? orderId : null,
    status: statusOf(
      invoice,
      paid.some(({ status }) => status === 'Processing'),
    ),
    payments: counted
      .filter(({ status }) => status === 'Settled')
      .map(({ reference, amount_in_cents }) => ({ reference, amount_in_cents })),
    seen_in_cents: seen.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0),
  }
}

function statusOf(
  { status, additionalStatus }: Invoice,
  isConfirming: boolean,
): PaymentState['status'] {
  switch (status) {
    case 'New':
      return 'open'
    case 'Processing':
      return 'processing'
    case 'Settled':
      return 'settled'
    case 'Expired':
      // What came in full too late stays Expired at BTCPay, confirmed or not.
      if (additionalStatus !== 'PaidLate') return 'ended'
      return isConfirming ? 'processing' : 'settled'
    default:
      return 'ended'
  }
}

/** Coins net of fees at a rate, rounded down to whole cents. */
function centsOf(value: string, fee: string, rate: string): number {
  const [gross, grossPlaces] = wholeOf(value)
  const [cost, costPlaces] = wholeOf(fee)
  const [price, pricePlaces] = wholeOf(rate)
  const net = gross * 10n ** BigInt(costPlaces) - cost * 10n ** BigInt(grossPlaces)
  // A payment that is smaller than its fee counts for nothing.
  if (net <= 0n) return 0
  return Number((net * price * 100n) / 10n ** BigInt(grossPlaces + costPlaces + pricePlaces))
}

function wholeOf(decimal: string): [whole: bigint, places: number] {
  const [, whole = '', rest = ''] = /^(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  if (whole === '') throw new Error('BTCPay told an amount that is no decimal number.')
  return [BigInt(whole + rest), rest.length]
}
