import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createCardGateway } from '../../src/platform/payments/card.ts'
import { createCryptoGateway } from '../../src/platform/payments/crypto.ts'
import type { CardGateway, Gateway, PaymentRequest } from '../../src/platform/payments/gateway.ts'
import { type TestProviders, testProviders } from '../support/sandbox.ts'
import { btcpayEventFaults, btcpayFaults } from './btcpay.ts'
import { startRecorder } from './recorder.ts'
import { stripeFaults } from './stripe.ts'

let providers: TestProviders
let recorder: Awaited<ReturnType<typeof startRecorder>>
beforeAll(async () => {
  providers = await testProviders()
  recorder = await startRecorder(providers.url)
})
afterAll(async () => {
  await recorder.close()
  await providers.close()
})

const urls = { success_url: 'https://shop.example.com/', cancel_url: 'https://shop.example.com/' }
const ask = (more: Partial<PaymentRequest> = {}): PaymentRequest => ({
  attempt_id: randomUUID(),
  description: 'Two emoji ids',
  amount_in_cents: 1_999,
  customer: undefined,
  urls: undefined,
  wallet_only: false,
  created_at: providers.now(),
  expires_at: new Date(providers.now().getTime() + 300_000),
  ...more,
})
const refundOf = async (gateway: Gateway, reference: string) => {
  const [receivedPayment] = (await gateway.look(reference)).payments
  const payment = receivedPayment?.reference ?? ''
  return gateway.refund({
    reference,
    payment,
    amount_in_cents: 100,
    paid_in_cents: receivedPayment?.amount_in_cents ?? 0,
    key: randomUUID(),
  })
}
/** The webhooks, once each of these types has arrived. */
const webhooksOf = async (requests: readonly { body: Buffer }[], types: readonly string[]) => {
  const bodies = () => requests.map(({ body }) => body.toString())
  const arrived = () => new Set(bodies().map((body) => JSON.parse(body).type))
  await expect.poll(() => types.filter((type) => !arrived().has(type))).toEqual([])
  return bodies()
}

describe('the traffic between the service and BTCPay', () => {
  const purchases: [name: string, steps: [what: string, body?: object][]][] = [
    ['unpaid', []],
    ['paid in parts', [['pay', { percent: 50 }], ['pay']]],
    ['paid over', [['pay', { percent: 150 }]]],
    ['paid by Lightning', [['pay', { method: 'BTC-LN' }]]],
    ['paid by LNURL', [['pay', { method: 'BTC-LNURL' }]]],
    ['paid in Monero', [['pay', { method: 'XMR-CHAIN' }]]],
    ['confirmed later', [['pay', { confirmed: false }], ['confirm']]],
    ['never confirmed', [['pay', { confirmed: false }], ['fail']]],
    ['paid late', [['expire'], ['pay']]],
  ]
  it('matches the descriptions of 2.0.0 and 2.4.1', async () => {
    const gateway = createCryptoGateway({ ...providers.crypto, url: recorder.url })
    for (const [name, steps] of purchases) {
      const request = ask(name === 'unpaid' ? { urls } : {})
      const { reference } = await gateway.create(request)
      for (const [title, body] of steps) {
        await providers.act(`/invoices/${reference}/${title}`, body)
        await gateway.look(reference)
      }
      await gateway.find(request)
      const { payments } = await gateway.cancel(reference)
      if (payments.length === 0) continue
      const refund = await refundOf(gateway, reference).catch(() => undefined)
      if (!refund) continue
      expect(await gateway.isPaidOut(refund.claim_url ?? '')).toBe(false)
      const destination = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
      await providers.act(`/claims/${refund.reference}/claim`, { destination })
      expect(await gateway.isPaidOut(refund.claim_url ?? '')).toBe(false)
      await providers.act(`/claims/${refund.reference}/pay`)
      expect(await gateway.isPaidOut(refund.claim_url ?? '')).toBe(true)
    }
    await gateway.look('none').catch(() => undefined)
    const events = await webhooksOf(providers.taken.crypto, [
      'InvoiceCreated',
      'InvoiceReceivedPayment',
      'InvoicePaymentSettled',
      'InvoiceProcessing',
      'InvoiceExpired',
      'InvoiceSettled',
      'InvoiceInvalid',
    ])
    const exchanges = recorder.exchanges.filter(({ path }) => path.startsWith('/api/v1/'))
    const statuses = new Set(exchanges.map(({ status }) => status))

    expect([...statuses].sort()).toEqual([200, 404, 422])
    expect(exchanges.flatMap(btcpayFaults)).toEqual([])
    expect(events.flatMap(btcpayEventFaults)).toEqual([])
  })
})

describe('the traffic between the service and Stripe', () => {
  async function buyEverything(gateway: CardGateway): Promise<void> {
    const customer = await gateway.createCustomer(randomUUID())
    const pay = (reference: string, body: object = {}) =>
      providers.act(
        `/${reference.startsWith('cs_') ? 'sessions' : 'intents'}/${reference}/pay`,
        body,
      )
    for (const more of [{ urls, customer }, { customer }, { urls }, { wallet_only: true }]) {
      const request = ask(more)
      const { reference } = await gateway.create(request)
      await gateway.changeAmount(reference, 2_500)
      await pay(reference, { keep_card: 'customer' in more })
      const refund = await refundOf(gateway, reference)
      await providers.act(`/refunds/${refund.reference}/status`, { status: 'failed' })
      await gateway.hasFailed(refund.reference)
      await gateway.cancel(reference)
    }
    for (const more of [{ urls }, {}]) {
      const { reference } = await gateway.create(ask(more))
      await gateway.cancel(reference)
      await gateway.look(reference)
    }
    for (const outcome of ['won', 'lost', 'warning_closed']) {
      const { reference } = await gateway.create(ask({ urls }))
      await pay(reference)
      const [{ reference: payment = '' } = {}] = (await gateway.look(reference)).payments
      const inquiry = outcome === 'warning_closed'
      const { id } = (await providers.act(`/sessions/${reference}/dispute`, { inquiry })) as {
        id: string
      }
      await gateway.disputesOf(payment)
      await gateway.attemptOf(payment)
      await refundOf(gateway, reference).catch(() => undefined)
      await providers.act(`/disputes/${id}/review`)
      await providers.act(`/disputes/${id}/close`, { outcome })
      const [closedDispute] = await gateway.disputesOf(payment)
      expect(closedDispute?.status).toBe(outcome === 'lost' ? 'lost' : 'won')
    }
    await gateway.attemptOf('pi_none')
    const slow = await gateway.create(ask({ urls }))
    await pay(slow.reference, { outcome: 'processing' })
    await gateway.look(slow.reference)
    await chargeSavedCards(gateway, customer)
    const [card] = await gateway.savedCards(customer)
    if (card) await gateway.forgetCard(customer, card.id)
    await gateway.forgetCard(customer, 'pm_none')
    await providers.act('/failures')
    await gateway.create(ask()).catch(() => undefined)
  }

  /** A card that pays, one that is declined, one whose bank asks, and one that was deleted. */
  async function chargeSavedCards(gateway: CardGateway, customer: string): Promise<void> {
    for (const card of ['visa_declined_later', 'visa_asked_later', 'visa']) {
      const { reference } = await gateway.create(ask({ urls, customer }))
      await providers.act(`/sessions/${reference}/pay`, { card, keep_card: true })
      const [newest] = await gateway.savedCards(customer)
      const payment_method = newest?.id ?? ''
      await gateway.findCard(customer, payment_method)
      const request = ask({ customer, payment_method })
      const attempt = await gateway.create(request)
      const return_url = card === 'visa' ? undefined : urls.success_url
      const { attempt_id } = request
      await gateway.charge({ reference: attempt.reference, attempt_id, return_url })
      await gateway.charge({ reference: attempt.reference, attempt_id: randomUUID(), return_url })
      await gateway.cancel(attempt.reference)
      await gateway.forgetCard(customer, payment_method)
      await gateway.create(ask({ customer, payment_method })).catch(() => undefined)
    }
  }

  it('matches the types of the pinned SDK, which report unknown, missing and wrong members', async () => {
    const { card } = providers
    const gateway = createCardGateway({ ...card, apiUrl: recorder.url, now: providers.now })
    await buyEverything(gateway)
    const events = await webhooksOf(providers.taken.card, [
      'charge.dispute.closed',
      'charge.dispute.created',
      'charge.dispute.funds_reinstated',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.updated',
      'charge.refund.updated',
      'charge.refunded',
      'charge.succeeded',
      'checkout.session.completed',
      'checkout.session.expired',
      'customer.created',
      'payment_intent.canceled',
      'payment_intent.created',
      'payment_intent.payment_failed',
      'payment_intent.processing',
      'payment_intent.requires_action',
      'payment_intent.succeeded',
      'payment_method.attached',
      'refund.created',
      'refund.failed',
      'refund.updated',
    ])
    const exchanges = recorder.exchanges.filter(({ path }) => path.startsWith('/v1/'))
    const statuses = new Set(exchanges.map(({ status }) => status))

    expect([...statuses].sort()).toEqual([200, 400, 402, 404, 500])
    const refund = { method: 'POST', path: '/v1/refunds', query: '', status: 200 }
    // One run of the compiler: the only errors are those of a wrong request, response and event.
    const faults = await stripeFaults(
      [
        ...exchanges,
        { ...refund, sent: 'payment_intent=pi_1&colour=red', answered: '{"object":"refund"}' },
      ],
      [...events, '{"object":"event","type":"refund.made"}'],
    )
    expect(faults).toContain('colour')
    expect(faults).toContain('{ object: "refund"; }')
    expect(faults).toContain('"refund.made"')
    expect(faults.match(/error TS/g)).toHaveLength(3)
  })
})

describe('the comparison', () => {
  const exchange = { query: '', sent: '{}', status: 200, answered: '{}' }

  it('reports a path that BTCPay 2.0.0 does not route, and a refund without its method', () => {
    const refund = {
      name: 'Refund',
      description: 'Refund r1',
      payoutMethods: ['BTC-CHAIN'],
      refundVariant: 'Custom',
      customAmount: '1.00',
      customCurrency: 'USD',
    }
    const path = '/api/v1/stores/s/invoices/i/refund'
    const body = JSON.stringify(refund)

    expect(btcpayFaults({ ...exchange, method: 'GET', path: '/api/v1/invoices/i' })).toEqual([
      'GET /api/v1/invoices/i → 200: no such operation in every 2.x',
    ])
    expect(btcpayFaults({ ...exchange, method: 'POST', path, sent: body })).toContain(
      `POST ${path} → 200: 2.0.0:  must have required property 'payoutMethodId'`,
    )
    expect(btcpayEventFaults('{"type":"InvoiceSettled"}')).not.toEqual([])
  })
})
