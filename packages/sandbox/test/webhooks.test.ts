import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cardKeys, cryptoKeys, item, type TestSandbox, testSandbox, urls } from './support.ts'

const store = `/stores/${cryptoKeys.storeId}`
let sandbox: TestSandbox
let aheadMs: number
beforeEach(async () => {
  aheadMs = 0
  sandbox = await testSandbox({ now: () => new Date(Date.now() + aheadMs) })
})
afterEach(() => sandbox.close())

const soon = { interval: 20 }
const paidIntent = async () => {
  const { id } = await sandbox.stripe().paymentIntents.create({ amount: 1_000, currency: 'usd' })
  await sandbox.act(`/intents/${id}/pay`)
  return id
}
const newInvoice = async () => {
  const path = `${store}/invoices`
  const body = { amount: '10', metadata: { orderId: 'attempt-7' } }
  return (await sandbox.greenfield('POST', path, body)).json.id as string
}
const typesAt = (path: string) => sandbox.receiver.typesAt(path)
const bodiesAt = (path: string) =>
  sandbox.receiver.received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body))

describe('card webhooks', () => {
  it('card webhooks are signed over the exact bytes, with the time', async () => {
    await paidIntent()
    await expect.poll(() => typesAt('/card'), soon).toHaveLength(3)
    const stripe = sandbox.stripe()
    const [first] = sandbox.receiver.received
    const signature = first?.headers['stripe-signature'] as string
    const read = (body: string) =>
      stripe.webhooks.constructEvent(body, signature, cardKeys.webhookSecret)

    expect(read(first?.body ?? '').object).toBe('event')
    expect(() => read(`${first?.body} `)).toThrow()
    await expect
      .poll(
        async () => (await stripe.events.list()).data.map((event) => event.pending_webhooks),
        soon,
      )
      .toEqual([0, 0, 0])
  })

  it('report every step of a session', async () => {
    const session = await sandbox
      .stripe()
      .checkout.sessions.create({ mode: 'payment', line_items: [item(1_000)], ...urls })
    await sandbox.act(`/sessions/${session.id}/decline`)
    await sandbox.act(`/sessions/${session.id}/pay`, { outcome: 'processing' })
    const { payment_intent } = await sandbox.stripe().checkout.sessions.retrieve(session.id)
    await sandbox.act(`/intents/${payment_intent}/settle`)

    await expect
      .poll(() => typesAt('/card').sort(), soon)
      .toEqual([
        'charge.failed',
        'charge.pending',
        'charge.succeeded',
        'checkout.session.async_payment_succeeded',
        'checkout.session.completed',
        'payment_intent.created',
        'payment_intent.payment_failed',
        'payment_intent.processing',
        'payment_intent.succeeded',
      ])
  })

  it('card webhooks are retried until they are accepted', async () => {
    sandbox.receiver.refuse(500, 302)
    await sandbox.stripe().paymentIntents.create({ amount: 1_000, currency: 'usd' })
    await expect.poll(() => bodiesAt('/card').length, soon).toBe(3)
    expect(new Set(bodiesAt('/card').map(({ id }) => id)).size).toBe(1)
  })

  it('that were not accepted are sent after a restart', async () => {
    await sandbox.act('/webhooks', { delay_ms: 120_000 })
    await paidIntent()
    await sandbox.restart(async () => {
      expect(typesAt('/card')).toEqual([])
      aheadMs = 120_000
    })
    await expect.poll(() => typesAt('/card'), soon).toHaveLength(3)
  })
})

describe('crypto webhooks', () => {
  it('crypto webhooks are signed over the exact bytes, and name the order', async () => {
    const id = await newInvoice()
    await sandbox.act(`/invoices/${id}/pay`)
    await expect
      .poll(() => typesAt('/crypto').sort(), soon)
      .toEqual([
        'InvoiceCreated',
        'InvoicePaymentSettled',
        'InvoiceProcessing',
        'InvoiceReceivedPayment',
        'InvoiceSettled',
      ])
    const [first] = sandbox.receiver.received
    const hmac = createHmac('sha256', cryptoKeys.webhookSecret).update(first?.body ?? '')
    const event = bodiesAt('/crypto')[0]

    expect(first?.headers['btcpay-sig']).toBe(`sha256=${hmac.digest('hex')}`)
    expect(event).toMatchObject({
      invoiceId: id,
      storeId: cryptoKeys.storeId,
      metadata: { orderId: 'attempt-7' },
      isRedelivery: false,
      originalDeliveryId: event.deliveryId,
    })
  })

  it('that are refused are retried as separate deliveries', async () => {
    sandbox.receiver.refuse(503)
    await newInvoice()
    await expect.poll(() => bodiesAt('/crypto').length, soon).toBe(2)
    const [first, secondBody] = bodiesAt('/crypto')
    const listAnswer = await sandbox.greenfield('GET', `${store}/webhooks/sandbox/deliveries`)

    expect(secondBody).toMatchObject({ isRedelivery: true, originalDeliveryId: first.deliveryId })
    expect(secondBody.deliveryId).not.toBe(first.deliveryId)
    expect(listAnswer.json).toMatchObject([
      { id: secondBody.deliveryId, status: 'HttpSuccess', httpCode: 200 },
      { id: first.deliveryId, status: 'HttpError', httpCode: 503 },
    ])
  })

  it('crypto webhooks are redelivered on request', async () => {
    await newInvoice()
    await expect.poll(() => bodiesAt('/crypto').length, soon).toBe(1)
    const [{ deliveryId }] = bodiesAt('/crypto')
    const path = `${store}/webhooks/sandbox/deliveries/${deliveryId}`
    const secondAnswer = await sandbox.greenfield('POST', `${path}/redeliver`)
    await expect.poll(() => bodiesAt('/crypto').length, soon).toBe(2)

    expect(secondAnswer.json).toBe(bodiesAt('/crypto')[1].deliveryId)
    expect(bodiesAt('/crypto')[1].originalDeliveryId).toBe(deliveryId)
    expect((await sandbox.greenfield('GET', `${path}/request`)).json).toEqual(
      bodiesAt('/crypto')[0],
    )
    expect((await sandbox.greenfield('POST', `${path}x/redeliver`)).status).toBe(404)
  })

  it('go to every webhook of the store, by its filter', async () => {
    const webhook = await sandbox.greenfield('POST', `${store}/webhooks`, {
      url: `${sandbox.receiver.url}/other`,
      authorizedEvents: { everything: false, specificEvents: ['InvoiceSettled'] },
      secret: 'another',
    })
    const path = `${store}/webhooks/${webhook.json.id}`
    const id = await newInvoice()
    await sandbox.act(`/invoices/${id}/pay`)
    await expect.poll(() => typesAt('/other'), soon).toEqual(['InvoiceSettled'])
    const view = await sandbox.greenfield('GET', path)
    await sandbox.greenfield('DELETE', path)

    expect(webhook.json.secret).toBe('another')
    expect(view.json).not.toHaveProperty('secret')
    expect((await sandbox.greenfield('GET', path)).status).toBe(404)
  })
})

describe('webhooks with settings', () => {
  it('webhooks with settings are delayed', async () => {
    await sandbox.act('/webhooks', { delay_ms: 120_000 })
    await newInvoice()
    await sandbox.act('/webhooks', { delay_ms: 0 })
    await sandbox.stripe().customers.create()
    // A later event overtook it.
    await expect.poll(() => typesAt('/card'), soon).toHaveLength(1)
    expect(typesAt('/crypto')).toEqual([])
  })

  it('arrive twice: the same card event, a crypto redelivery', async () => {
    await sandbox.act('/webhooks', { copies: 2 })
    await newInvoice()
    await sandbox.stripe().customers.create()
    await expect.poll(() => sandbox.receiver.received.length, soon).toBe(4)

    expect(new Set(bodiesAt('/card').map(({ id }) => id)).size).toBe(1)
    expect(new Set(bodiesAt('/crypto').map((one) => one.originalDeliveryId)).size).toBe(1)
    expect(new Set(bodiesAt('/crypto').map((one) => one.deliveryId)).size).toBe(2)
  })

  it('arrive out of order', async () => {
    await sandbox.act('/webhooks', { shuffled: true })
    await Promise.all([paidIntent(), paidIntent(), paidIntent()])
    await expect.poll(() => typesAt('/card'), soon).toHaveLength(9)
    const arrived = bodiesAt('/card').map(({ id }) => id)
    const happened = (await sandbox.stripe().events.list({ limit: 100 })).data.map(({ id }) => id)

    expect([...arrived].sort()).toEqual([...happened].sort())
    expect(arrived).not.toEqual(happened.reverse())
  })

  it('webhooks with settings stay away, and are sent one by one', async () => {
    await sandbox.act('/webhooks', { off: true })
    await newInvoice()
    await paidIntent()
    const [latest] = (await sandbox.stripe().events.list()).data
    const [delivery] = (await sandbox.greenfield('GET', `${store}/webhooks/sandbox/deliveries`))
      .json
    await sandbox.act(`/events/${latest?.id}/deliver`)
    await sandbox.act(`/events/${delivery.id}/deliver`)
    await expect.poll(() => sandbox.receiver.received.length, soon).toBe(2)

    // Nothing else arrived: an earlier one would be here first.
    expect(typesAt('/card')).toEqual(['payment_intent.succeeded'])
    expect(typesAt('/crypto')).toEqual(['InvoiceCreated'])
    expect((await sandbox.act('/events/evt_none/deliver')).status).toBe(404)
  })

  it.each([{ delay_ms: -1 }, { copies: 0 }, { copies: 1.5 }, { off: 'yes' }, { copies: 11 }])(
    'reject %o',
    async (body) => {
      expect((await sandbox.act('/webhooks', body)).status).toBe(400)
    },
  )
})
