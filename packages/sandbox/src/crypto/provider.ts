import { BuyerError } from '../buyer/errors.ts'
import type { State } from '../state.ts'
import type { Courier } from '../webhooks/courier.ts'
import { judge } from './accounting.ts'
import { newClaim } from './claims.ts'
import { toText, unitsOf } from './decimal.ts'
import { isCounted, markable, newInvoice, paidUnits, paymentsOf, viewPrompts } from './invoices.ts'
import {
  coinOf,
  coins,
  isLightning,
  newDestination,
  newPaymentId,
  nextPaymentFee,
} from './methods.ts'
import type { KeptClaim, KeptInvoice, MethodId, Payment } from './objects.ts'
import { invalid, notFound } from './problems.ts'
import { readInvoiceRequest } from './requests.ts'
import { createCryptoWebhooks, type Told } from './webhooks.ts'

export type CryptoOptions = {
  /** Which BTCPay it says it is, and behaves like; the oldest supported one unless given. */
  version?: string
  apiKey: string
  storeId: string
  webhookUrl: string
  webhookSecret: string
}

export type CryptoProvider = ReturnType<typeof createCryptoProvider>

type Options = {
  state: State
  courier: Courier
  seconds: () => number
  origin: () => string
  options: CryptoOptions
}

const oldestVersion = '2.0.0'
const ownWebhook = 'sandbox'

/** Everything that the crypto provider does, built once. */
export function createCryptoProvider({ state, courier, seconds, origin, options }: Options) {
  const webhooks = createCryptoWebhooks({ state, courier, seconds })
  const { version = oldestVersion } = options

  /** Keeps what the invoice has become, and tells of it. */
  function save(changed: KeptInvoice, told: Told[] = []): KeptInvoice {
    const { invoice, happenings } = judge(changed, seconds())
    state.put('invoice', invoice)
    for (const one of [...told, ...happenings]) webhooks.tell(invoice, one)
    return invoice
  }
  function find(id: string): KeptInvoice {
    const invoice = state.get('invoice', id)
    if (!invoice) throw notFound('invoice')
    const { happenings } = judge(invoice, seconds())
    return happenings.length > 0 ? state.change(() => save(invoice)) : invoice
  }

  return {
    state,
    seconds,
    origin,
    options,
    version,
    webhooks,
    find,

    /** The webhook that the sandbox was started with. */
    start(): void {
      state.change(() =>
        state.put('webhook', {
          id: ownWebhook,
          enabled: true,
          automaticRedelivery: true,
          url: options.webhookUrl,
          secret: options.webhookSecret,
          authorizedEvents: { everything: true, specificEvents: [] },
        }),
      )
    },

    create(body: unknown): KeptInvoice {
      const request = readInvoiceRequest(body, state)
      const invoice = newInvoice(state, request, options.storeId, seconds())
      return state.change(() => save(invoice, [{ type: 'InvoiceCreated' }]))
    },

    update(id: string, changed: Partial<KeptInvoice>): KeptInvoice {
      return state.change(() => save({ ...find(id), ...changed }))
    },

    mark(id: string, status: unknown): KeptInvoice {
      const invoice = find(id)
      const wanted = markable(invoice).find((one) => one === status)
      if (!wanted) {
        const message = 'Status can only be marked to invalid or settled within certain conditions.'
        throw invalid({ path: 'status', message })
      }
      const told: Told =
        wanted === 'Settled'
          ? { type: 'InvoiceSettled', manuallyMarked: true, overPaid: false }
          : { type: 'InvoiceInvalid', manuallyMarked: true }
      const marked: KeptInvoice = { ...invoice, status: wanted, additionalStatus: 'Marked' }
      return state.change(() => save(marked, [told]))
    },

    refund(id: string, body: unknown): KeptClaim {
      const claim = newClaim(state, find(id), body, version)
      state.change(() => state.put('claim', claim))
      return claim
    },

    /** A payment that is seen, and confirmed at once or later. */
    pay(id: string, method: MethodId, value: bigint, isConfirmed: boolean): KeptInvoice {
      const invoice = find(id)
      const prompt = invoice.prompts.find((one) => one.method === method)
      if (!prompt) throw new BuyerError(400, `This invoice cannot be paid by ${method}.`)
      if (value <= 0n) throw new BuyerError(400, 'A payment is more than nothing.')
      const { places } = coins[coinOf(method)]
      const payment: Payment = {
        id: newPaymentId(method),
        receivedDate: seconds(),
        value: toText(value, places),
        fee: toText(unitsOf(prompt.fee ?? '0'), places),
        status: isConfirmed || isLightning(method) ? 'Settled' : 'Processing',
        destination: prompt.destination ?? newDestination('BTC-LN'),
      }
      const about = {
        afterExpiration: invoice.expirationTime <= seconds(),
        paymentMethodId: method,
        payment,
      }
      const told: Told[] = [{ type: 'InvoiceReceivedPayment', ...about }]
      if (payment.status === 'Settled') told.push({ type: 'InvoicePaymentSettled', ...about })
      const paid = { ...prompt, payments: [...prompt.payments, payment] }
      const prompts = invoice.prompts.map((one) => (one === prompt ? paid : one))
      const isLeft = paidUnits({ ...invoice, prompts }, isCounted) < unitsOf(invoice.amount)
      if (isLeft) paid.fee = nextPaymentFee(method)
      return state.change(() => save({ ...invoice, prompts }, told))
    },

    /** What is still to be paid by one method. */
    dueOf(id: string, method: MethodId, part: 'amount' | 'due'): bigint {
      const prompt = viewPrompts(find(id), true).find((one) => one.paymentMethodId === method)
      if (!prompt) throw new BuyerError(400, `This invoice cannot be paid by ${method}.`)
      return prompt[part].startsWith('-') ? 0n : unitsOf(prompt[part])
    },

    /** Payments that were seen are confirmed, or turn out to be nothing. */
    decide(id: string, status: 'Settled' | 'Invalid'): KeptInvoice {
      const invoice = find(id)
      const waiting = paymentsOf(invoice).filter((payment) => payment.status === 'Processing')
      if (waiting.length === 0) throw new BuyerError(409, 'No payment waits for confirmation.')
      const told: Told[] = []
      const prompts = invoice.prompts.map((prompt) => ({
        ...prompt,
        payments: prompt.payments.map((payment): Payment => {
          if (!waiting.includes(payment)) return payment
          const decided = { ...payment, status }
          const afterExpiration = payment.receivedDate >= invoice.expirationTime
          const about = { afterExpiration, paymentMethodId: prompt.method, payment: decided }
          if (status === 'Settled') told.push({ type: 'InvoicePaymentSettled', ...about })
          return decided
        }),
      }))
      const fails = status === 'Invalid' && invoice.status === 'Processing'
      if (fails) told.push({ type: 'InvoiceInvalid', manuallyMarked: false })
      const fate = fails ? ({ status: 'Invalid', additionalStatus: 'Invalid' } as const) : {}
      return state.change(() => save({ ...invoice, ...fate, prompts }, told))
    },

    /** As if its time had passed. */
    expire(id: string): KeptInvoice {
      const invoice = find(id)
      if (invoice.status !== 'New') throw new BuyerError(409, `The invoice is ${invoice.status}.`)
      return state.change(() => save({ ...invoice, expirationTime: seconds() }))
    },

    /** Ends those whose time is over. */
    sweep(): void {
      for (const { id, status } of state.all('invoice')) {
        if (status === 'New' || status === 'Processing') find(id)
      }
    },
  }
}
