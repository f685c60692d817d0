import { minuteMs } from '../time.ts'
import type { createRates } from './crypto-rates.ts'
import { type Invoice, lateMethods, type Method, stateOf } from './crypto-state.ts'
import type { PaymentObject, PaymentRequest, PaymentState } from './gateway.ts'
import type { createGreenfield } from './greenfield.ts'

/** Dependencies of calls to a BTCPay Server. */
export type CryptoDeps = {
  greenfield: ReturnType<typeof createGreenfield>
  /** The path of the store in BTCPay's API. */
  store: string
  rateNow: ReturnType<typeof createRates>
  now: () => Date
}

const titles: Readonly<Record<string, string>> = {
  'BTC-CHAIN': 'Bitcoin',
  'BTC-LN': 'Bitcoin (Lightning)',
  'BTC-LNURL': 'Bitcoin (LNURL)',
  'LTC-CHAIN': 'Litecoin',
  'XMR-CHAIN': 'Monero',
}

/** A shortfall up to this counts as paid: rates and fees are never exact. */
const tolerancePercent = 1

export async function createPayment(
  deps: CryptoDeps,
  request: PaymentRequest,
): Promise<PaymentObject> {
  const invoice = (await findInvoice(deps, request)) ?? (await createInvoice(deps, request))
  return objectOf(deps, invoice)
}

export async function findPayment(
  deps: CryptoDeps,
  request: PaymentRequest,
): Promise<PaymentObject | undefined> {
  const invoice = await findInvoice(deps, request)
  return invoice && objectOf(deps, invoice)
}

/** BTCPay has no idempotency keys: the invoice of an earlier call is found by its order. */
async function findInvoice(
  { greenfield, store }: CryptoDeps,
  { attempt_id }: PaymentRequest,
): Promise<Invoice | undefined> {
  const invoices = await greenfield.get<Invoice[]>(
    `${store}/invoices?orderId=${encodeURIComponent(attempt_id)}&includeArchived=true`,
  )
  const [oldest] = invoices.sort((a, b) => a.createdTime - b.createdTime || (a.id < b.id ? -1 : 1))
  return oldest
}

function createInvoice(
  { greenfield, store, now }: CryptoDeps,
  request: PaymentRequest,
): Promise<Invoice> {
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

async function objectOf(deps: CryptoDeps, { id, checkoutLink }: Invoice): Promise<PaymentObject> {
  const methods = waysToPay(await methodsOf(deps, id))
  return { reference: id, client_secret: '', checkout_url: checkoutLink, methods }
}

export async function lookAtPayment(deps: CryptoDeps, reference: string): Promise<PaymentState> {
  const { greenfield, store, rateNow } = deps
  const invoice = await greenfield.get<Invoice>(invoicePath(store, reference))
  const methods = await methodsOf(deps, reference)
  const rates = new Map<string, string>()
  for (const method of lateMethods(invoice, methods)) {
    const rate = await rateNow(method, invoice.amount)
    if (rate !== undefined) rates.set(method, rate)
  }
  return { ...stateOf(invoice, methods, rates), methods: waysToPay(methods) }
}

export async function cancelPayment(deps: CryptoDeps, reference: string): Promise<PaymentState> {
  const { greenfield, store } = deps
  const before = await lookAtPayment(deps, reference)
  if (before.status !== 'open') return before
  // Money may arrive right now, whether or not BTCPay accepts: the second read tells.
  await greenfield.tryPost(`${invoicePath(store, reference)}/status`, { status: 'Invalid' })
  return lookAtPayment(deps, reference)
}

// Every 2.x has this path; the one without the store came with 2.4.0.
export const invoicePath = (store: string, reference: string): string =>
  `${store}/invoices/${encodeURIComponent(reference)}`

export const methodsOf = (
  { greenfield, store }: CryptoDeps,
  reference: string,
): Promise<Method[]> => greenfield.get<Method[]>(`${invoicePath(store, reference)}/payment-methods`)

const waysToPay = (methods: readonly Method[]): PaymentObject['methods'] =>
  methods.flatMap(({ paymentMethodId, destination: address, due, currency, activated }) => {
    if (!activated || !address) return []
    const title = titles[paymentMethodId] ?? paymentMethodId
    // BTCPay reports an overpayment as a negative due amount.
    return [{ address, amount: Math.max(0, Number(due)), currency, title }]
  })

const dollars = (cents: number): string =>
  `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
