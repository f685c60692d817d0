import { minuteMs } from '../time.ts'
import { cryptoEvent } from './crypto-events.ts'
import { createRates } from './crypto-rates.ts'
import { type Invoice, lateMethods, type Method, shareOfCoins, stateOf } from './crypto-state.ts'
import type { CryptoGateway, PaymentObject, PaymentRequest, PaymentState } from './gateway.ts'
import { createGreenfield } from './greenfield.ts'

type Options = {
  url: string
  apiKey: string
  storeId: string
  webhookSecret: string
  now?: () => Date
  /** Multiplies the time limit of calls. */
  patience?: number | undefined
}

type Payout = { state: string; originalAmount: string }
type Claim = {
  id: string
  description: string | null
  viewLink: string
  amount: string
  archived: boolean
}

const titles: Readonly<Record<string, string>> = {
  'BTC-CHAIN': 'Bitcoin',
  'BTC-LN': 'Bitcoin (Lightning)',
  'BTC-LNURL': 'Bitcoin (LNURL)',
  'LTC-CHAIN': 'Litecoin',
  'XMR-CHAIN': 'Monero',
}

/** Short by so much counts as paid: rates and fees are never exact. */
const tolerancePercent = 1

/** Cryptocurrency through a BTCPay Server. */
export function createCryptoGateway(options: Options): CryptoGateway {
  const { storeId, webhookSecret, now = () => new Date() } = options
  const greenfield = createGreenfield(options)
  const store = `/stores/${encodeURIComponent(storeId)}`
  // Every 2.x routes this path; the one without the store came with 2.4.0.
  const path = (reference: string) => `${store}/invoices/${encodeURIComponent(reference)}`
  const rateNow = createRates({ greenfield, store, now })
  const methodsOf = (reference: string) =>
    greenfield.get<Method[]>(`${path(reference)}/payment-methods`)

  /** BTCPay knows no idempotency keys: what an earlier call made is found by its order. */
  async function find({ attempt_id }: PaymentRequest): Promise<Invoice | undefined> {
    const found = await greenfield.get<Invoice[]>(
      `${store}/invoices?orderId=${encodeURIComponent(attempt_id)}&includeArchived=true`,
    )
    const [oldest] = found.sort((a, b) => a.createdTime - b.createdTime || (a.id < b.id ? -1 : 1))
    return oldest
  }

  function make(request: PaymentRequest): Promise<Invoice> {
    const minutes = (request.expires_at.getTime() - now().getTime()) / minuteMs
    return greenfield.post<Invoice>(`${store}/invoices`, {
      amount: dollars(request.amount_in_cents),
      currency: 'USD',
      metadata: { orderId: request.attempt_id, itemDesc: request.description },
      checkout: {
        expirationMinutes: Math.max(1, Math.round(minutes)),
        paymentTolerance: tolerancePercent,
        lazyPaymentMethods: false,
        ...(request.urls ? { redirectURL: request.urls.success_url } : {}),
      },
    })
  }

  async function look(reference: string): Promise<PaymentState> {
    const invoice = await greenfield.get<Invoice>(path(reference))
    const methods = await methodsOf(reference)
    const rates = new Map<string, string>()
    for (const method of lateMethods(invoice, methods)) {
      const rate = await rateNow(method, invoice.amount)
      if (rate !== undefined) rates.set(method, rate)
    }
    return { ...stateOf(invoice, methods, rates), methods: waysToPay(methods) }
  }

  async function objectOf({ id, checkoutLink }: Invoice): Promise<PaymentObject> {
    const methods = waysToPay(await methodsOf(id))
    return { reference: id, client_secret: '', checkout_url: checkoutLink, methods }
  }

  /** Claims are found by their description, as BTCPay knows no idempotency keys. */
  async function findClaim(key: string): Promise<Claim | undefined> {
    const claims = await greenfield.get<Claim[]>(`${store}/pull-payments?includeArchived=true`)
    return claims.find(({ description }) => description === describeRefund(key))
  }

  const payoutsOf = (claim: string) =>
    greenfield.get<Payout[]>(`/pull-payments/${encodeURIComponent(claim)}/payouts`)

  return {
    create: async (request) => objectOf((await find(request)) ?? (await make(request))),

    async find(request) {
      const found = await find(request)
      return found && objectOf(found)
    },

    changeAmount: async () => false,

    look,

    async cancel(reference) {
      const before = await look(reference)
      if (before.status !== 'open') return before
      // Money may be seen at this moment: whether BTCPay still obeys or not, the second look tells.
      await greenfield.tryPost(`${path(reference)}/status`, { status: 'Invalid' })
      return look(reference)
    },

    async refund({ reference, payment, amount_in_cents, paid_in_cents, key }) {
      const earlier = await findClaim(key)
      if (earlier) return { reference: earlier.id, claim_url: earlier.viewLink, has_failed: false }
      const methods = await methodsOf(reference)
      const paidBy = methods.find(({ payments }) => payments.some(({ id }) => id === payment))
      const paid = paidBy?.payments.find(({ id }) => id === payment)
      if (!paidBy || !paid) throw new Error('The payment to refund is not one of its invoice.')
      const claim = await greenfield.post<Claim>(`${path(reference)}/refund`, {
        name: 'Refund',
        description: describeRefund(key),
        // 2.4.1 and later read the list; older servers pass over it and read the single id.
        payoutMethodId: paidBy.paymentMethodId,
        payoutMethods: [paidBy.paymentMethodId],
        refundVariant: 'Custom',
        // A claim in dollars would be paid at the rate of the payout, without a limit in coins.
        customCurrency: paidBy.currency,
        customAmount: shareOfCoins(paid, amount_in_cents, paid_in_cents),
      })
      return { reference: claim.id, claim_url: claim.viewLink, has_failed: false }
    },

    async findRefund({ key }) {
      const claim = await findClaim(key)
      if (!claim || claim.archived) return undefined
      const isTaken = (await payoutsOf(claim.id)).some(({ state }) => state !== 'Cancelled')
      const { id: reference, viewLink: claim_url } = claim
      return { reference, claim_url, has_failed: false, is_taken: isTaken }
    },

    // It waits for as long as it takes until somebody says where it goes.
    hasFailed: async () => false,

    async isPaidOut(refund) {
      const { amount } = await greenfield.get<Claim>(`/pull-payments/${encodeURIComponent(refund)}`)
      const paid = (await payoutsOf(refund))
        .filter(({ state }) => state === 'Completed')
        .reduce((sum, { originalAmount }) => sum + smallestUnits(originalAmount), 0)
      return paid >= smallestUnits(amount)
    },

    readEvent: (body, headers) => cryptoEvent(body, headers['btcpay-sig'], webhookSecret),
  }
}

const waysToPay = (methods: readonly Method[]): PaymentObject['methods'] =>
  methods.flatMap(({ paymentMethodId, destination: address, due, currency, activated }) => {
    if (!activated || !address) return []
    const title = titles[paymentMethodId] ?? paymentMethodId
    // BTCPay tells what was paid too much as due with a minus.
    return [{ address, amount: Math.max(0, Number(due)), currency, title }]
  })

const describeRefund = (key: string): string => `Refund ${key}`

/** Of claims in coins, and of older ones in dollars. */
const smallestUnits = (amount: string): number => Math.round(Number(amount) * 100_000_000)

const dollars = (cents: number): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
