import type { PaymentState } from './gateway.ts'

export type Invoice = {
  id: string
  currency: string
  status: string
  additionalStatus: string
  checkoutLink: string
  createdTime: number
  /** The end in seconds since 1970. */
  expirationTime: number
  amount: string
  metadata: { orderId?: unknown } | null
}

type Payment = {
  id: string
  /** The time at which BTCPay first saw it, in seconds since 1970. */
  receivedDate: number
  value: string
  /** The part of the value that BTCPay does not count: the cost of a further payment on chain. */
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

/** The payment methods with money that arrived after the expiry. */
export const lateMethods = (invoice: Invoice, methods: readonly Method[]): string[] =>
  methods
    .filter(({ payments }) => payments.some((payment) => isLate(invoice, payment)))
    .map(({ paymentMethodId }) => paymentMethodId)

/**
 * The state and the payments of an invoice. Its rate holds until it expires; later money counts at
 * the lower of its rate and today's. Otherwise a buyer could wait for a falling market, and pay an
 * old invoice with cheap coins.
 */
export function stateOf(
  invoice: Invoice,
  methods: readonly Method[],
  ratesNow: ReadonlyMap<string, string>,
): PaymentState {
  const orderId = invoice.metadata?.orderId
  const payments = methods.flatMap(({ paymentMethodId, rate, payments }) =>
    payments.map((payment) => {
      const rateNow = isLate(invoice, payment) ? ratesNow.get(paymentMethodId) : undefined
      const { id, value, fee, status } = payment
      const cents = centsOf(value, fee, rate)
      const amount_in_cents = Math.min(cents, centsOf(value, fee, rateNow ?? rate))
      return { status, reference: id, amount_in_cents }
    }),
  )
  const countedPayments = invoice.currency === 'USD' ? payments : []
  const visiblePayments = countedPayments.filter(
    ({ status }) => status === 'Settled' || status === 'Processing',
  )
  return {
    attempt_id: typeof orderId === 'string' ? orderId : null,
    status: statusOf(
      invoice,
      payments.some(({ status }) => status === 'Processing'),
    ),
    payments: countedPayments
      .filter(({ status }) => status === 'Settled')
      .map(({ reference, amount_in_cents }) => ({ reference, amount_in_cents })),
    seen_in_cents: visiblePayments.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0),
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
      // A full payment that came too late stays Expired at BTCPay, confirmed or not.
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
  // A payment below its fee counts as zero.
  if (net <= 0n) return 0
  return Number((net * price * 100n) / 10n ** BigInt(grossPlaces + costPlaces + pricePlaces))
}

const coinPlaces = 8

/**
 * The coins for a part of a payment's cents, rounded down. All parts together never exceed the
 * received coins, whatever the market did since.
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
  if (whole === '') throw new Error('BTCPay reported an amount that is not a decimal number.')
  return [BigInt(whole + rest), rest.length]
}
