import { createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestProviders, testProviders } from '../../../test/support/sandbox.ts'
import { createCryptoGateway } from './crypto.ts'
import { type Gateway, type PaymentRequest, RefusedError } from './gateway.ts'

let providers: TestProviders
let gateway: Gateway
beforeAll(async () => {
  providers = await testProviders()
  gateway = createCryptoGateway({
    ...providers.crypto,
    url: `${providers.url}/`,
    now: providers.now,
  })
})
afterAll(() => providers.close())

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
const open = async () => (await gateway.create(ask())).reference
const store = () => `/stores/${providers.crypto.storeId}`
const act = (id: string, title: string, body?: object) =>
  providers.act(`/invoices/${id}/${title}`, body)
const mark = (id: string, status: string) =>
  providers.greenfield('POST', `${store()}/invoices/${id}/status`, { status })
const amounts = ({ payments }: { payments: { amount_in_cents: number }[] }) =>
  payments.map(({ amount_in_cents }) => amount_in_cents)

describe('an invoice', () => {
  it('an invoice has this amount and every payment method', async () => {
    const success_url = 'http://localhost:3000/done'
    const request = ask({ urls: { success_url, cancel_url: success_url } })
    const attempt = await gateway.create(request)
    const invoice = await providers.greenfield('GET', `${store()}/invoices/${attempt.reference}`)

    expect(attempt).toEqual({
      reference: invoice.id,
      client_secret: '',
      checkout_url: invoice.checkoutLink,
      methods: [
        { ...btc, title: 'Bitcoin', address: expect.stringMatching(/^bcrt1/) },
        { ...btc, title: 'Bitcoin (Lightning)', address: expect.stringMatching(/^lnbcrt1/) },
        { amount: 0.1235246864, currency: 'XMR', title: 'Monero', address: expect.any(String) },
      ],
    })
    expect(invoice).toMatchObject({
      amount: '19.99',
      currency: 'USD',
      metadata: { orderId: request.attempt_id, itemDesc: 'Two emoji ids' },
      checkout: { paymentTolerance: 1, redirectURL: success_url, expirationMinutes: 5 },
    })
    expect(invoice.expirationTime - invoice.createdTime).toBe(300)
  })
  const btc = { amount: 0.00020496, currency: 'BTC' }

  it('an invoice is the same for repeats of an attempt', async () => {
    const request = ask()
    const attempt = await gateway.create(request)
    await act(attempt.reference, 'expire')
    expect(await gateway.create(request)).toEqual(attempt)
  })

  it('an invoice cannot change its amount', async () => {
    expect(await gateway.changeAmount(await open(), 1)).toBe(false)
  })

  const states: [
    name: string,
    steps: [string, object?][],
    status: string,
    paid: number[],
    seen: number,
  ][] = [
    ['new', [], 'open', [], 0],
    ['seen', [['pay', { confirmed: false }]], 'processing', [], 1_999],
    ['confirmed', [['pay', { confirmed: false }], ['confirm']], 'settled', [1_999], 1_999],
    ['paid by Lightning', [['pay', { method: 'BTC-LN' }]], 'settled', [1_999], 1_999],
    ['paid in part', [['pay', { percent: 50 }]], 'open', [999], 999],
    ['seen in part', [['pay', { percent: 50, confirmed: false }]], 'open', [], 999],
    [
      'paid in two coins',
      [
        ['pay', { percent: 50 }],
        ['pay', { method: 'XMR-CHAIN' }],
      ],
      'settled',
      [999, 999],
      1_998,
    ],
    ['paid over', [['pay', { percent: 150 }]], 'settled', [2_998], 2_998],
    ['paid twice', [['pay'], ['pay', { percent: 100 }]], 'settled', [1_999, 1_999], 3_998],
    [
      'paid in two on-chain payments',
      [['pay', { percent: 50 }], ['pay']],
      'settled',
      [999, 999],
      1_998,
    ],
    ['paid by LNURL', [['pay', { method: 'BTC-LNURL' }]], 'settled', [1_999], 1_999],
    [
      'paid with less than the fee on top',
      [
        ['pay', { percent: 50 }],
        ['pay', { amount: '0.00000099' }],
      ],
      'open',
      [999, 0],
      999,
    ],
    ['short within the tolerance', [['pay', { percent: 99.5 }]], 'settled', [1_988], 1_988],
    ['expired', [['expire']], 'ended', [], 0],
    ['expired with a part', [['pay', { percent: 50 }], ['expire']], 'ended', [999], 999],
    ['paid late', [['expire'], ['pay']], 'settled', [1_999], 1_999],
    ['seen late', [['expire'], ['pay', { confirmed: false }]], 'processing', [], 1_999],
    ['part paid late', [['expire'], ['pay', { percent: 30 }]], 'ended', [599], 599],
    ['never confirmed', [['pay', { confirmed: false }], ['fail']], 'ended', [], 0],
  ]
  it.each(states)('reports that it is %s', async (_name, steps, status, paidAmount, statusCode) => {
    const request = ask()
    const { reference } = await gateway.create(request)
    for (const [title, body] of steps) await act(reference, title, body)
    const state = await gateway.look(reference)

    expect(state).toMatchObject({
      attempt_id: request.attempt_id,
      status,
      seen_in_cents: statusCode,
    })
    expect(amounts(state)).toEqual(paidAmount)
    expect(new Set(state.payments.map(({ reference }) => reference)).size).toBe(paidAmount.length)
  })

  it('that was marked by hand reports no money that did not arrive', async () => {
    const [settled, invalid] = [await open(), await open()]
    await mark(settled, 'Settled')
    await mark(invalid, 'Invalid')
    expect(await gateway.look(settled)).toMatchObject({ status: 'settled', payments: [] })
    expect(await gateway.look(invalid)).toMatchObject({ status: 'ended', payments: [] })
  })

  it('in another currency counts as zero (T90)', async () => {
    const path = `/stores/${providers.crypto.storeId}/invoices`
    const { id } = await providers.greenfield('POST', path, { amount: '19.99', currency: 'EUR' })
    await act(id, 'pay')
    expect(await gateway.look(id)).toMatchObject({
      attempt_id: null,
      status: 'settled',
      payments: [],
      seen_in_cents: 0,
    })
  })

  it('asks for nothing after an overpayment', async () => {
    const id = await open()
    await act(id, 'pay', { percent: 150 })
    const amounts = (await gateway.look(id)).methods?.map(({ amount }) => amount)
    expect(amounts).toEqual([0, 0, 0])
  })

  it('rounds the value of coins down to whole cents', async () => {
    const id = await open()
    await act(id, 'pay', { amount: '0.00010000' })
    expect(amounts(await gateway.look(id))).toEqual([975])
  })

  it.each([
    ['new', [], 'ended', 0],
    ['partly paid', [['pay', { percent: 50 }]], 'ended', 999],
    ['seen', [['pay', { confirmed: false }]], 'processing', 1_999],
    ['paid', [['pay']], 'settled', 1_999],
    ['expired', [['expire']], 'ended', 0],
    ['paid late', [['expire'], ['pay']], 'settled', 1_999],
  ] as [string, [string, object?][], string, number][])(
    'that is %s can be canceled',
    async (_name, steps, status, statusCode) => {
      const id = await open()
      for (const [title, body] of steps) await act(id, title, body)
      const after = await gateway.cancel(id)

      expect(after).toMatchObject({ status, seen_in_cents: statusCode })
      expect(await gateway.cancel(id)).toEqual(after)
    },
  )

  it('that was canceled still reports money that arrives', async () => {
    const id = await open()
    await gateway.cancel(id)
    await act(id, 'pay')
    expect(await gateway.look(id)).toMatchObject({ status: 'ended', seen_in_cents: 1_999 })
  })
})

describe('a refund', () => {
  it('a refund is one claim in the paid coin, for its share of the coins', async () => {
    const id = await open()
    await act(id, 'pay', { method: 'BTC-LN', percent: 150 })
    const [payment] = (await gateway.look(id)).payments
    const request = {
      reference: id,
      payment: payment?.reference ?? '',
      amount_in_cents: 1_005,
      paid_in_cents: payment?.amount_in_cents ?? 0,
    }
    const first = await gateway.refund({ ...request, key: 'r1' })
    const secondRefund = await gateway.refund({ ...request, key: 'r1' })
    const other = await gateway.refund({ ...request, key: 'r2' })
    const claim = await providers.greenfield('GET', `/pull-payments/${first.reference}`)

    const claim_url = `${providers.url}/claim/${claim.id}`
    expect(first).toEqual({ reference: claim.id, claim_url, has_failed: false })
    expect(claim).toMatchObject({ amount: '0.00010306', currency: 'BTC' })
    expect(await (await fetch(first.claim_url ?? '')).text()).toContain('BTC-LN')
    expect(secondRefund).toEqual(first)
    expect(other.reference).not.toBe(first.reference)
  })

  it.each(['2.0.0', '2.3.9', '2.4.1'])('names the paid coin at BTCPay %s', async (version) => {
    const others = await testProviders({ version })
    const other = createCryptoGateway({ ...others.crypto, url: others.url, now: others.now })
    const { reference } = await other.create(ask())
    await others.act(`/invoices/${reference}/pay`, { method: 'BTC-LN' })
    const [payment] = (await other.look(reference)).payments
    const { claim_url } = await other.refund({
      reference,
      payment: payment?.reference ?? '',
      amount_in_cents: 100,
      paid_in_cents: payment?.amount_in_cents ?? 0,
      key: 'r1',
    })
    const page = await (await fetch(claim_url ?? '')).text()
    await others.close()

    expect(page).toContain('BTC-LN')
  })

  it.each(['BTC-LNURL', 'XMR-CHAIN'])(
    'of %s is refused, since BTCPay has no payouts for it',
    async (method) => {
      const id = await open()
      await act(id, 'pay', { method })
      const [payment] = (await gateway.look(id)).payments
      const refund = gateway.refund({
        reference: id,
        payment: payment?.reference ?? '',
        amount_in_cents: 100,
        paid_in_cents: payment?.amount_in_cents ?? 0,
        key: randomUUID(),
      })
      await expect(refund).rejects.toThrow(RefusedError)
      await expect(refund).rejects.toThrow(/422/)
    },
  )

  it('a refund is refused for a payment of another invoice, and while the invoice is open', async () => {
    const [paidReference, openReference] = [await open(), await open()]
    await act(paidReference, 'pay')
    await act(openReference, 'pay', { percent: 10 })
    const of = async (id: string) => (await gateway.look(id)).payments[0]?.reference ?? ''
    const refund = (reference: string, payment: string) =>
      gateway.refund({
        reference,
        payment,
        amount_in_cents: 100,
        paid_in_cents: 1_999,
        key: randomUUID(),
      })

    await expect(refund(paidReference, await of(openReference))).rejects.toThrow(
      'does not belong to its invoice',
    )
    await expect(refund(openReference, await of(openReference))).rejects.toThrow(
      /^BTCPay refused to POST .*: 400/,
    )
    await gateway.cancel(openReference)
    expect((await refund(openReference, await of(openReference))).claim_url).toContain('/claim/')
  })
})

describe('after the market fell', () => {
  const moveTo = (rate: string) => providers.act('/rates', { rate })
  afterAll(() => moveTo('97531.86'))

  it('money in time counts at the rate of the invoice, and is refunded in the same coins', async () => {
    await moveTo('100000')
    const id = await open()
    await moveTo('50000')
    await act(id, 'pay', { amount: '0.01' })
    const [payment] = (await gateway.look(id)).payments
    expect(payment?.amount_in_cents).toBe(100_000)
    const whole = { reference: id, payment: payment?.reference ?? '', paid_in_cents: 100_000 }
    const parts = [98_001, 1_999].map((amount_in_cents) =>
      gateway.refund({ ...whole, amount_in_cents, key: randomUUID() }),
    )
    const claims = await Promise.all(parts)
    const amounts = await Promise.all(
      claims.map(({ reference }) => providers.greenfield('GET', `/pull-payments/${reference}`)),
    )
    expect(amounts).toMatchObject([
      { amount: '0.00980010', currency: 'BTC' },
      { amount: '0.00019990', currency: 'BTC' },
    ])
  })

  it('late money counts at the lower rate, and its refund never exceeds the coins', async () => {
    await moveTo('100000')
    const [fell, rose] = [await open(), await open()]
    await act(fell, 'expire')
    await act(rose, 'expire')
    await moveTo('50000')
    const newCryptoGateway = createCryptoGateway({ ...providers.crypto, url: providers.url })
    await act(fell, 'pay', { amount: '0.01' })
    const [payment] = (await newCryptoGateway.look(fell)).payments
    expect(payment?.amount_in_cents).toBe(50_000)
    const whole = { amount_in_cents: 50_000, paid_in_cents: 50_000, key: randomUUID() }
    const claim = await newCryptoGateway.refund({
      ...whole,
      reference: fell,
      payment: payment?.reference ?? '',
    })
    const { amount } = await providers.greenfield('GET', `/pull-payments/${claim.reference}`)
    expect(amount).toBe('0.01000000')
    await moveTo('200000')
    const later = createCryptoGateway({ ...providers.crypto, url: providers.url })
    await act(rose, 'pay', { amount: '0.01' })
    expect(amounts(await later.look(rose))).toEqual([100_000])
    expect(await providers.greenfield('GET', `${store()}/invoices?textSearch=Rate`)).toEqual([])
  })
})

describe('events', () => {
  const soon = { interval: 20 }
  const signEvent = (event: unknown) => {
    const body = Buffer.from(typeof event === 'string' ? event : JSON.stringify(event))
    const hmac = createHmac('sha256', providers.crypto.webhookSecret).update(body).digest('hex')
    return [body, { 'btcpay-sig': `sha256=${hmac}` }] as const
  }
  const code = (read: () => unknown) => {
    try {
      read()
    } catch (error) {
      return (error as { code?: string }).code
    }
    return undefined
  }

  it('lead to the attempt, and redeliveries are the same event', async () => {
    const request = ask()
    await providers.act('/webhooks', { copies: 3 })
    const { reference } = await gateway.create(request)
    await providers.act('/webhooks', { copies: 1 })
    const ownRequests = () => providers.taken.crypto.filter(({ body }) => body.includes(reference))
    await expect.poll(() => ownRequests().length, soon).toBe(3)
    const events = ownRequests().map(({ body, headers }) => gateway.readEvent(body, headers))

    const { attempt_id } = request
    expect(events[0]).toMatchObject({ reference, attempt_id, about: 'nothing' })
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(1)
  })

  it('about other objects have no subject', () => {
    const event = { originalDeliveryId: 'd1', type: 'PayoutCreated' }
    expect(gateway.readEvent(...signEvent(event))).toEqual({
      event_id: 'd1',
      reference: undefined,
      attempt_id: undefined,
      about: 'payment',
    })
  })

  it('events are rejected without a valid signature over the exact bytes (T90)', () => {
    const [body, headers] = signEvent({ originalDeliveryId: 'd1', invoiceId: 'i1' })
    const changedBody = Buffer.from(body)
    changedBody[5] = (changedBody[5] ?? 0) ^ 1
    const plain = headers['btcpay-sig'].slice('sha256='.length)

    expect(gateway.readEvent(body, headers).reference).toBe('i1')
    for (const read of [
      () => gateway.readEvent(changedBody, headers),
      () => gateway.readEvent(Buffer.concat([body, Buffer.from(' ')]), headers),
      () => gateway.readEvent(body, {}),
      () => gateway.readEvent(body, { 'btcpay-sig': '' }),
      () => gateway.readEvent(body, { 'btcpay-sig': plain }),
      () => gateway.readEvent(body, { 'btcpay-sig': [headers['btcpay-sig'], 'x'] }),
    ]) {
      expect(code(read)).toBe('invalid_signature')
    }
  })

  it.each(['null', '[]', '"x"', '{}', 'no json', ''])(
    'with a signature but malformed content are refused: %s',
    (text) => {
      expect(code(() => gateway.readEvent(...signEvent(text)))).toBe('invalid_signature')
    },
  )
})

describe('a provider', () => {
  const away = { kind: 'unavailable', code: 'unavailable_payment_provider' }
  const answering = async (status: number, body: string) => {
    const server = createServer((_request, response) => response.writeHead(status).end(body))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const close = async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
    return { close, gateway: createCryptoGateway({ ...providers.crypto, url }) }
  }

  it('that is unreachable is unavailable', async () => {
    const unreachable = createCryptoGateway({ ...providers.crypto, url: 'http://127.0.0.1:9' })
    await expect(unreachable.look('i1')).rejects.toMatchObject({
      ...away,
      details: { retry_after_seconds: expect.any(Number) },
    })
  })

  it.each([
    { status: 502, body: 'bad gateway' },
    { status: 429, body: '' },
    { status: 200, body: '<html>Sign in to the airport</html>' },
  ])('that answers $status without useful content is unavailable', async ({ status, body }) => {
    const failing = await answering(status, body)
    await expect(failing.gateway.look('i1')).rejects.toMatchObject(away)
    await failing.close()
  })

  it('that refuses our key is reported by its status, without keys and messages', async () => {
    const strict = await answering(403, '{"message":"the key gateway-key may not"}')
    const refusal = await strict.gateway.look('i1').catch((error: Error) => error)
    await strict.close()

    expect((refusal as Error).message).toBe(
      'BTCPay refused to GET /stores/store-1/invoices/i1: 403.',
    )
    expect(String((refusal as Error).stack)).not.toContain(providers.crypto.apiKey)
    await expect(gateway.look('none')).rejects.toThrow(
      'BTCPay refused to GET /stores/store-1/invoices/none: 404.',
    )
  })
})
