import type { PaymentState } from './gateway.ts'

export type Invoice = {
  id: string
  currency: string
  status: string
  additionalStatus: string
  checkoutLink: string
  createdTime: number
  /** In seconds since 1970. */
  expirationTime: number
  amount: string
  metadata: { orderId?: unknown } | null
}

type Payment = {
  id: string
  /** When it was first seen, in seconds since 1970. */
  receivedDate: number
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

const isLate = ({ expirationTime }: Invoice, { receivedDate }: Payment): boolean =>
  receivedDate >= expirationTime

/** The ways to pay by which money came after the invoice had expired. */
export const lateMethods = (invoice: Invoice, methods: readonly Method[]): string[] =>
  methods
    .filter(({ payments }) => payments.some((payment) => isLate(invoice, payment)))
    .map(({ paymentMethodId }) => paymentMethodId)

/**
 * How an invoice stands, and what was paid on it. Its rate holds until it expires; later money
 * counts at the lower one of its rate and today's. Otherwise a buyer could wait until the market
 * has fallen, and pay an old invoice with cheap coins.
 */
export function stateOf(
  invoice: Invoice,
  methods: readonly Method[],
  ratesNow: ReadonlyMap<string, string>,
): PaymentState {
  const orderId = invoice.metadata?.orderId
  const paid = methods.flatMap(({ paymentMethodId, rate, payments }) =>
    payments.map((payment) => {
      const rateNow = isLate(invoice, payment) ? ratesNow.get(paymentMethodId) : undefined
      const { id, value, fee, status } = payment
      const cents = centsOf(value, fee, rate)
      const amount_in_cents = Math.min(cents, centsOf(value, fee, rateNow ?? rate))
      return { status, reference: id, amount_in_cents }
    }),
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

const coinPlaces = 8

/**
 * The coins of a payment that a part of its cents stands for, rounded down. All parts together are
 * never more coins than came, whatever the market did since.
 */
export function shareOfCoins(
  { value, fee }: Pick<Payment, 'value' | 'fee'>,
  part_in_cents: number,
  paid_in_cents: number,
): string {
  const [gross, grossPlaces] = wholeOf(value)
  const [cost, costPlaces] = wholeOf(fee)
  const net = gross * 10n ** BigInt(costPlaces) - cost * 10n ** BigInt(grossPlaces)
  const part = BigInt(Math.min(part_in_cents, paid_in_cents))
  const units =
    (net * part * 10n ** BigInt(coinPlaces)) /
    (BigInt(paid_in_cents) * 10n ** BigInt(grossPlaces + costPlaces))
  const digits = String(units).padStart(coinPlaces + 1, '0')
  return `${digits.slice(0, -coinPlaces)}.${digits.slice(-coinPlaces)}`
}

function wholeOf(decimal: string): [whole: bigint, places: number] {
  const [, whole = '', rest = ''] = /^(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  if (whole === '') throw new Error('BTCPay told an amount that is no decimal number.')
  return [BigInt(whole + rest), rest.length]
}
