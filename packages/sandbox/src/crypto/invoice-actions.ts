import { BuyerError } from '../buyer/errors.ts'
import { judge } from './accounting.ts'
import { newClaim } from './claims.ts'
import { toText, unitsOf } from './decimal.ts'
import {
  isCounted,
  markableStatuses,
  newInvoice,
  paidUnits,
  paymentsOf,
  viewPrompts,
} from './invoices.ts'
import {
  coinOf,
  coins,
  isLightning,
  newDestination,
  newPaymentId,
  nextPaymentFee,
} from './methods.ts'
import type { MethodId, Payment, StoredClaim, StoredInvoice } from './objects.ts'
import { invalid, notFound } from './problems.ts'
import type { CryptoDesk } from './provider.ts'
import { readInvoiceRequest } from './requests.ts'
import type { WebhookMessage } from './webhooks.ts'

/** Stores the new state of the invoice, and sends its events. */
function save(
  desk: CryptoDesk,
  changedInvoice: StoredInvoice,
  events: WebhookMessage[] = [],
): StoredInvoice {
  const { invoice, happenings } = judge(changedInvoice, desk.seconds())
  desk.state.put('invoice', invoice)
  for (const one of [...events, ...happenings]) desk.webhooks.tell(invoice, one)
  return invoice
}

export function find(desk: CryptoDesk, id: string): StoredInvoice {
  const invoice = desk.state.get('invoice', id)
  if (!invoice) throw notFound('invoice')
  const { happenings } = judge(invoice, desk.seconds())
  return happenings.length > 0 ? desk.state.change(() => save(desk, invoice)) : invoice
}

export function create(desk: CryptoDesk, body: unknown): StoredInvoice {
  const request = readInvoiceRequest(body, desk.state)
  const invoice = newInvoice(desk.state, request, desk.options.storeId, desk.seconds())
  return desk.state.change(() => save(desk, invoice, [{ type: 'InvoiceCreated' }]))
}

export function update(
  desk: CryptoDesk,
  id: string,
  changed: Partial<StoredInvoice>,
): StoredInvoice {
  return desk.state.change(() => save(desk, { ...find(desk, id), ...changed }))
}

export function mark(desk: CryptoDesk, id: string, status: unknown): StoredInvoice {
  const invoice = find(desk, id)
  const nextStatus = markableStatuses(invoice).find((one) => one === status)
  if (!nextStatus) {
    const message = 'Status can only be marked to invalid or settled within certain conditions.'
    throw invalid({ path: 'status', message })
  }
  const event: WebhookMessage =
    nextStatus === 'Settled'
      ? { type: 'InvoiceSettled', manuallyMarked: true, overPaid: false }
      : { type: 'InvoiceInvalid', manuallyMarked: true }
  const markedInvoice: StoredInvoice = {
    ...invoice,
    status: nextStatus,
    additionalStatus: 'Marked',
  }
  return desk.state.change(() => save(desk, markedInvoice, [event]))
}

export function refund(desk: CryptoDesk, id: string, body: unknown): StoredClaim {
  const claim = newClaim(desk.state, find(desk, id), body, desk.version)
  desk.state.change(() => desk.state.put('claim', claim))
  return claim
}

/** A payment that is seen, and confirmed now or later. */
export function pay(
  desk: CryptoDesk,
  id: string,
  method: MethodId,
  value: bigint,
  isConfirmed: boolean,
): StoredInvoice {
  const invoice = find(desk, id)
  const prompt = invoice.prompts.find((one) => one.method === method)
  if (!prompt) throw new BuyerError(400, `This invoice can’t be paid by ${method}.`)
  if (value <= 0n) throw new BuyerError(400, 'The amount must be more than zero.')
  const { places } = coins[coinOf(method)]
  const payment: Payment = {
    id: newPaymentId(method),
    receivedDate: desk.seconds(),
    value: toText(value, places),
    fee: toText(unitsOf(prompt.fee ?? '0'), places),
    status: isConfirmed || isLightning(method) ? 'Settled' : 'Processing',
    destination: prompt.destination ?? newDestination('BTC-LN'),
  }
  const about = {
    afterExpiration: invoice.expirationTime <= desk.seconds(),
    paymentMethodId: method,
    payment,
  }
  const events: WebhookMessage[] = [{ type: 'InvoiceReceivedPayment', ...about }]
  if (payment.status === 'Settled') events.push({ type: 'InvoicePaymentSettled', ...about })
  const paidPrompt = { ...prompt, payments: [...prompt.payments, payment] }
  const prompts = invoice.prompts.map((one) => (one === prompt ? paidPrompt : one))
  const isLeft = paidUnits({ ...invoice, prompts }, isCounted) < unitsOf(invoice.amount)
  if (isLeft) paidPrompt.fee = nextPaymentFee(method)
  return desk.state.change(() => save(desk, { ...invoice, prompts }, events))
}

/** The amount due by one method. */
export function dueOf(
  desk: CryptoDesk,
  id: string,
  method: MethodId,
  part: 'amount' | 'due',
): bigint {
  const prompt = viewPrompts(find(desk, id), true).find((one) => one.paymentMethodId === method)
  if (!prompt) throw new BuyerError(400, `This invoice can’t be paid by ${method}.`)
  return prompt[part].startsWith('-') ? 0n : unitsOf(prompt[part])
}

/** Confirms or drops the seen payments. */
export function decide(desk: CryptoDesk, id: string, status: 'Settled' | 'Invalid'): StoredInvoice {
  const invoice = find(desk, id)
  const waitingPayments = paymentsOf(invoice).filter((payment) => payment.status === 'Processing')
  if (waitingPayments.length === 0) throw new BuyerError(409, 'There is no unconfirmed payment.')
  const events: WebhookMessage[] = []
  const prompts = invoice.prompts.map((prompt) => ({
    ...prompt,
    payments: prompt.payments.map((payment): Payment => {
      if (!waitingPayments.includes(payment)) return payment
      const decided = { ...payment, status }
      const afterExpiration = payment.receivedDate >= invoice.expirationTime
      const about = { afterExpiration, paymentMethodId: prompt.method, payment: decided }
      if (status === 'Settled') events.push({ type: 'InvoicePaymentSettled', ...about })
      return decided
    }),
  }))
  const fails = status === 'Invalid' && invoice.status === 'Processing'
  if (fails) events.push({ type: 'InvoiceInvalid', manuallyMarked: false })
  const fate = fails ? ({ status: 'Invalid', additionalStatus: 'Invalid' } as const) : {}
  return desk.state.change(() => save(desk, { ...invoice, ...fate, prompts }, events))
}

/** Expires the invoice now. */
export function expire(desk: CryptoDesk, id: string): StoredInvoice {
  const invoice = find(desk, id)
  if (invoice.status !== 'New') throw new BuyerError(409, `The invoice is ${invoice.status}.`)
  return desk.state.change(() => save(desk, { ...invoice, expirationTime: desk.seconds() }))
}

/** Expires invoices whose time is up. */
export function sweep(desk: CryptoDesk): void {
  for (const { id, status } of desk.state.all('invoice')) {
    if (status === 'New' || status === 'Processing') find(desk, id)
  }
}
