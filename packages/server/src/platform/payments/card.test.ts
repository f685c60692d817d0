import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type TestProviders, testProviders } from '../../../test/support/sandbox.ts'
import { createCardGateway } from './card.ts'
import type { CardGateway, PaymentRequest } from './gateway.ts'

let providers: TestProviders
let gateway: CardGateway
let stripe: Stripe
beforeAll(async () => {
  providers = await testProviders()
  gateway = createCardGateway({ ...providers.card, apiUrl: providers.url, now: providers.now })
  const { hostname: host, port } = new URL(providers.url)
  const telemetry = false
  stripe = new Stripe(providers.card.secretKey, { host, port, protocol: 'http', telemetry })
})
afterAll(() => providers.close())

const urls = { success_url: 'http://localhost:3000/done', cancel_url: 'http://localhost:3000/back' }
const ask = (more: Partial<PaymentRequest> = {}): PaymentRequest => ({
  attempt_id: randomUUID(),
  description: 'Two emoji ids',
  amount_in_cents: 2_500,
  customer: undefined,
  urls: undefined,
  wallet_only: false,
  created_at: providers.now(),
  expires_at: new Date(providers.now().getTime() + 300_000),
  ...more,
})
const act = (path: string, body?: object) => providers.act(path, body)
const pay = (reference: string, body?: object) =>
  act(`/${reference.startsWith('cs_') ? 'sessions' : 'intents'}/${reference}/pay`, body)
const noPayments = { payments: [], seen_in_cents: 0 }

describe('with pages to return to', () => {
  it('a purchase creates a session with the shortest lifetime, for this amount in dollars', async () => {
    const request = ask({ urls })
    const attempt = await gateway.create(request)
    const session = await stripe.checkout.sessions.retrieve(attempt.reference, {
      expand: ['line_items'],
    })

    expect(attempt).toEqual({
      reference: expect.stringMatching(/^cs_/),
      client_secret: '',
      methods: [],
      checkout_url: `${providers.url}/pay/session/${attempt.reference}`,
    })
    expect(session).toMatchObject({
      amount_total: 2_500,
      currency: 'usd',
      mode: 'payment',
      ...urls,
      metadata: { attempt_id: request.attempt_id },
      adaptive_pricing: { enabled: false },
      line_items: { data: [{ description: 'Two emoji ids' }] },
    })
    expect(session.expires_at - session.created).toBeGreaterThanOrEqual(1_800)
    expect(session.expires_at - session.created).toBeLessThan(2_200)
  })

  it('uses a new key after a replayed 500, and finds the session again under it', async () => {
    const request = ask({ urls })
    await act('/failures', { count: 2 })
    const away = { code: 'unavailable_payment_provider' }
    await expect(gateway.create(request)).rejects.toMatchObject(away)
    await expect(gateway.create(request)).rejects.toMatchObject(away)
    const attempt = await gateway.create(request)

    expect(attempt.reference).toMatch(/^cs_/)
    expect(await gateway.create(request)).toEqual(attempt)
    expect(await gateway.find(request)).toEqual(attempt)
  })

  it('repeats of an attempt get the same session', async () => {
    const request = ask({ urls })
    const objects = await Promise.all([gateway.create(request), gateway.create(request)])
    // Moves the clock of the gateway too.
    vi.setSystemTime(Date.now() + 2_000)
    onTestFinished(() => void vi.useRealTimers())
    const secondPayment = await gateway.create(request)

    expect(new Set([...objects, secondPayment].map(({ reference }) => reference)).size).toBe(1)
  })

  it('the amount cannot be changed', async () => {
    const { reference } = await gateway.create(ask({ urls }))
    expect(await gateway.changeAmount(reference, 1_000)).toBe(false)
  })

  it.each([
    { state: 'new', steps: [], expected: { status: 'open', ...noPayments } },
    { state: 'declined', steps: ['decline'], expected: { status: 'open', ...noPayments } },
    {
      state: 'asked back',
      steps: ['requires_action'],
      expected: { status: 'open', ...noPayments },
    },
    {
      state: 'on its way',
      steps: ['processing'],
      expected: { status: 'processing', payments: [], seen_in_cents: 2_500 },
    },
    {
      state: 'failed',
      steps: ['processing', 'fail'],
      expected: { status: 'ended', ...noPayments },
    },
    { state: 'expired', steps: ['expire'], expected: { status: 'ended', ...noPayments } },
  ])('reports the state $state', async ({ steps, expected }) => {
    const request = ask({ urls })
    const { reference } = await gateway.create(request)
    for (const step of steps) await take(reference, step)
    expect(await gateway.look(reference)).toEqual({ attempt_id: request.attempt_id, ...expected })
  })

  it.each([['succeeded'], ['processing', 'settle'], ['decline', 'succeeded']])(
    'its intent decides the state after %s, %s',
    async (...steps) => {
      const { reference } = await gateway.create(ask({ urls }))
      for (const step of steps) await take(reference, step)
      const session = await stripe.checkout.sessions.retrieve(reference)
      const payment = { reference: session.payment_intent, amount_in_cents: 2_500 }

      expect(await gateway.look(reference)).toMatchObject({
        status: 'settled',
        payments: [payment],
        seen_in_cents: 2_500,
      })
      expect((await gateway.look(String(session.payment_intent))).payments).toEqual([payment])
    },
  )

  it.each([
    { steps: [], status: 'ended', received: 0 },
    { steps: ['decline'], status: 'ended', received: 0 },
    { steps: ['requires_action'], status: 'ended', received: 0 },
    { steps: ['expire'], status: 'ended', received: 0 },
    { steps: ['processing'], status: 'processing', received: 0 },
    { steps: ['succeeded'], status: 'settled', received: 2_500 },
  ])('canceled after $steps it is $status', async ({ steps, status, received }) => {
    const { reference } = await gateway.create(ask({ urls }))
    for (const step of steps) await take(reference, step)
    const state = await gateway.cancel(reference)

    expect(state.status).toBe(status)
    expect(state.payments.map(({ amount_in_cents }) => amount_in_cents)).toEqual(
      received ? [received] : [],
    )
    if (status === 'ended') await expect(pay(reference)).rejects.toThrow('409')
  })

  it('a race of payment and cancellation has one winner', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { reference } = await gateway.create(ask({ urls }))
      const [state, isPaid] = await Promise.all([
        gateway.cancel(reference),
        pay(reference).then(
          () => true,
          () => false,
        ),
      ])
      expect(state.status).toBe(isPaid ? 'settled' : 'ended')
    }
  })
})

/** One step in the life of a session or intent. */
async function take(reference: string, step: string): Promise<void> {
  const isSession = reference.startsWith('cs_')
  const place = isSession ? 'sessions' : 'intents'
  if (step === 'decline') await act(`/${place}/${reference}/decline`)
  else if (step === 'expire') await act(`/sessions/${reference}/expire`)
  else if (step === 'settle' || step === 'fail') {
    const intent = isSession
      ? (await stripe.checkout.sessions.retrieve(reference)).payment_intent
      : reference
    await act(`/intents/${intent}/${step}`)
  } else await pay(reference, { outcome: step })
}

describe('without return pages', () => {
  it('a purchase creates an intent with a client secret', async () => {
    const request = ask()
    const attempt = await gateway.create(request)
    const secondPayment = await gateway.create(request)
    const intent = await stripe.paymentIntents.retrieve(attempt.reference)

    expect(attempt).toEqual({
      reference: expect.stringMatching(/^pi_/),
      checkout_url: null,
      methods: [],
      client_secret: intent.client_secret,
    })
    expect(secondPayment).toEqual(attempt)
    expect(intent).toMatchObject({
      amount: 2_500,
      currency: 'usd',
      description: 'Two emoji ids',
      metadata: { attempt_id: request.attempt_id },
      setup_future_usage: null,
      automatic_payment_methods: { enabled: true },
    })
  })

  it.each([undefined, urls])('a device wallet pays an intent by card only', async (returnUrls) => {
    const { reference } = await gateway.create(ask({ wallet_only: true, urls: returnUrls }))
    const intent = await stripe.paymentIntents.retrieve(reference)
    expect(intent.allowed_payment_method_types).toEqual(['card'])
  })

  it('the amount can be changed until it is paid', async () => {
    const { reference } = await gateway.create(ask())
    expect(await gateway.changeAmount(reference, 1_000)).toBe(true)
    await pay(reference)
    expect(await gateway.changeAmount(reference, 900)).toBe(false)
    expect((await gateway.look(reference)).payments).toEqual([
      { reference, amount_in_cents: 1_000 },
    ])
  })

  it.each([
    { steps: [], status: 'open', cancelled: 'ended' },
    { steps: ['decline'], status: 'open', cancelled: 'ended' },
    { steps: ['requires_action'], status: 'open', cancelled: 'ended' },
    { steps: ['processing'], status: 'processing', cancelled: 'processing' },
    { steps: ['processing', 'fail'], status: 'open', cancelled: 'ended' },
    { steps: ['processing', 'settle'], status: 'settled', cancelled: 'settled' },
    { steps: ['succeeded'], status: 'settled', cancelled: 'settled' },
  ])('a payment is $status after $steps, and $cancelled when canceled', async (testCase) => {
    const { reference } = await gateway.create(ask())
    for (const step of testCase.steps) await take(reference, step)
    const before = await gateway.look(reference)
    const after = await gateway.cancel(reference)
    const secondPaymentState = await gateway.cancel(reference)

    expect([before.status, after.status]).toEqual([testCase.status, testCase.cancelled])
    expect(secondPaymentState).toEqual(after)
    expect(after.payments).toEqual(
      after.status === 'settled' ? [{ reference, amount_in_cents: 2_500 }] : [],
    )
    expect(after.seen_in_cents).toBe(after.status === 'ended' ? 0 : 2_500)
  })

  it('other currencies do not count (T90)', async () => {
    const intent = await stripe.paymentIntents.create({
      amount: 2_500,
      currency: 'eur',
      metadata: { attempt_id: 'a1' },
    })
    await pay(intent.id)
    expect(await gateway.look(intent.id)).toEqual({
      attempt_id: 'a1',
      status: 'settled',
      ...noPayments,
    })
  })

  it('authorized money is processing until it is captured', async () => {
    const { id } = await stripe.paymentIntents.create({
      amount: 2_500,
      currency: 'usd',
      capture_method: 'manual',
    })
    await pay(id)
    expect(await gateway.look(id)).toEqual({
      attempt_id: null,
      status: 'processing',
      payments: [],
      seen_in_cents: 2_500,
      authorization: id,
      card_fingerprint: expect.any(String),
    })
    await gateway.capture(id)
    await gateway.release(id)
    expect(await gateway.look(id)).toMatchObject({ status: 'settled', seen_in_cents: 2_500 })
  })

  it.each([49, 100_000_000])(
    '%i cents are refused with a sentence for the buyer',
    async (cents) => {
      const { reference } = await gateway.create(ask())
      const refusal = { kind: 'refused', code: 'unpayable_amount' }
      await expect(gateway.create(ask({ amount_in_cents: cents }))).rejects.toMatchObject(refusal)
      await expect(gateway.create(ask({ amount_in_cents: cents, urls }))).rejects.toMatchObject(
        refusal,
      )
      await expect(gateway.changeAmount(reference, cents)).rejects.toMatchObject(refusal)
    },
  )
})

describe('saved cards', () => {
  it("are listed with the buyer's consent, until they are removed", async () => {
    const user_id = randomUUID()
    const customer = await gateway.createCustomer(user_id)
    const stranger = await gateway.createCustomer(randomUUID())
    const session = await gateway.create(ask({ customer, urls }))
    const notKept = await gateway.create(ask({ customer, urls }))
    const byIntent = await gateway.create(ask({ customer }))
    await pay(session.reference, { card: 'visa_debit', keep_card: true })
    await pay(notKept.reference, { card: 'visa' })
    await pay(byIntent.reference, { card: 'amex' })
    const cards = await gateway.savedCards(customer)
    const [amex, visa] = cards
    const otherCard = await gateway.forgetCard(stranger, visa?.id ?? '')
    const forgottenCard = await gateway.forgetCard(customer, visa?.id ?? '')

    expect(await gateway.createCustomer(user_id)).toBe(customer)
    expect(amex).toMatchObject({ brand: 'amex', last4: '8431' })
    expect(visa).toEqual({
      id: expect.stringMatching(/^pm_/),
      payment_type: 'card',
      brand: 'visa',
      country: 'DE',
      last4: '5556',
      exp_month: 12,
      exp_year: expect.any(Number),
    })
    expect(cards).toHaveLength(2)
    expect(otherCard).toBeUndefined()
    expect(forgottenCard).toEqual(visa)
    expect(await gateway.savedCards(customer)).toEqual([amex])
    for (const id of [visa?.id ?? '', 'pm_none', '../customers', '']) {
      expect(await gateway.forgetCard(customer, id)).toBeUndefined()
    }
  })

  it('saved cards are removed once by two concurrent requests', async () => {
    const customer = await gateway.createCustomer(randomUUID())
    const { reference } = await gateway.create(ask({ customer }))
    await pay(reference)
    const [card] = await gateway.savedCards(customer)
    const both = await Promise.all([1, 2].map(() => gateway.forgetCard(customer, card?.id ?? '')))
    expect(both.filter((one) => one !== undefined)).toHaveLength(1)
  })
})

describe('a refund', () => {
  it('a refund is made once despite repeats, and in parts', async () => {
    const { reference } = await gateway.create(ask({ urls }))
    await pay(reference)
    const [cardPayment] = (await gateway.look(reference)).payments
    const payment = cardPayment?.reference ?? ''
    const part = (key: string, amount_in_cents: number) =>
      gateway.refund({ reference, payment, amount_in_cents, paid_in_cents: 4_000, key })
    const objects = await Promise.all([part('r1', 500), part('r1', 500), part('r1', 500)])
    const other = await part('r2', 2_000)
    const { data } = await stripe.refunds.list({ payment_intent: payment })

    expect(new Set(objects.map((refund) => refund.reference)).size).toBe(1)
    expect(objects[0]).toEqual({
      reference: expect.stringMatching(/^re_/),
      claim_url: null,
      has_failed: false,
    })
    expect(data.map(({ id, amount }) => [id, amount])).toEqual([
      [other.reference, 2_000],
      [objects[0]?.reference, 500],
    ])
    expect((await gateway.look(reference)).payments).toEqual([cardPayment])
    providers.clock.ahead_ms += 25 * 60 * 60_000
    expect(await part('r1', 500)).toEqual(objects[0])
    await expect(part('r3', 1)).rejects.toThrow('Stripe refused to refund: 400')
  })
})

describe('events', () => {
  const soon = { interval: 20 }
  const typeOf = ({ body }: { body: Buffer }) => JSON.parse(body.toString()).type as string
  /** The received event of this type about this attempt. */
  const arrived = async (type: string, mentions: string) => {
    const find = () =>
      providers.taken.card.find((one) => typeOf(one) === type && one.body.includes(mentions))
    await expect.poll(find, soon).toBeDefined()
    return find() as NonNullable<ReturnType<typeof find>>
  }

  it('lead to the attempt from each of its objects', async () => {
    const request = ask({ urls })
    const { attempt_id } = request
    const { reference } = await gateway.create(request)
    await pay(reference)
    const [cardPayment] = (await gateway.look(reference)).payments
    const payment = cardPayment?.reference ?? ''
    await gateway.refund({
      reference,
      payment,
      amount_in_cents: 100,
      paid_in_cents: 1_999,
      key: `k-${attempt_id}`,
    })
    const read = async (type: string, mentions: string) => {
      const { body, headers } = await arrived(type, mentions)
      const { event_id, about, ...event } = gateway.readEvent(body, headers)
      expect(event_id).toMatch(/^evt_/)
      expect(about).toBe('payment')
      return event
    }

    expect(await read('checkout.session.completed', attempt_id)).toEqual({ reference, attempt_id })
    expect(await read('payment_intent.succeeded', attempt_id)).toEqual({
      reference: payment,
      attempt_id,
    })
    expect(await read('charge.refunded', attempt_id)).toEqual({ reference: payment, attempt_id })
    expect(await read('refund.created', attempt_id)).toEqual({ reference, attempt_id: undefined })
  })

  it('a refund made despite a 500 is not repeated', async () => {
    const { reference } = await gateway.create(ask())
    await pay(reference)
    const refund = {
      reference,
      payment: reference,
      amount_in_cents: 100,
      paid_in_cents: 1_999,
      key: randomUUID(),
    }
    await act('/failures', { applied: true })
    await expect(gateway.refund(refund)).rejects.toMatchObject({
      code: 'unavailable_payment_provider',
    })
    const newRefund = await gateway.refund(refund)
    const { data } = await stripe.refunds.list({ payment_intent: reference })

    expect(data.map(({ id }) => id)).toEqual([newRefund.reference])
  })

  it('a refund prevented by a 500 is made under a new key', async () => {
    const { reference } = await gateway.create(ask())
    await pay(reference)
    const refund = {
      reference,
      payment: reference,
      amount_in_cents: 100,
      paid_in_cents: 1_999,
      key: randomUUID(),
    }
    await act('/failures')
    await expect(gateway.refund(refund)).rejects.toMatchObject({
      code: 'unavailable_payment_provider',
    })
    const newRefund = await gateway.refund(refund)

    expect(await gateway.refund(refund)).toEqual(newRefund)
  })

  const current = () => Math.floor(providers.now().getTime() / 1_000)
  const signEvent = (object: object, seconds = current(), more: object = {}) => {
    const payload = JSON.stringify({ id: 'evt_1', object: 'event', data: { object }, ...more })
    const header = stripe.webhooks.generateTestHeaderString({
      payload,
      secret: providers.card.webhookSecret,
      timestamp: seconds,
    })
    return [Buffer.from(payload), { 'stripe-signature': header }] as const
  }
  const unsigned = { kind: 'invalid', code: 'invalid_signature' }
  const thrown = (read: () => unknown) => {
    try {
      read()
    } catch (error) {
      return error
    }
    return undefined
  }

  it('about disputes name the payment, other events nothing', () => {
    const dispute = signEvent({
      object: 'dispute',
      id: 'dp_1',
      payment_intent: 'pi_1',
      metadata: {},
    })
    const payout = signEvent({ object: 'payout', id: 'po_1', metadata: { attempt_id: 'a' } })

    expect(gateway.readEvent(...dispute)).toEqual({
      event_id: 'evt_1',
      reference: 'pi_1',
      attempt_id: undefined,
      about: 'dispute',
    })
    expect(gateway.readEvent(...payout)).toEqual({
      event_id: 'evt_1',
      reference: undefined,
      attempt_id: undefined,
      about: 'payment',
    })
  })

  it('that another event always follows tell nothing', () => {
    const object = { object: 'payment_intent', id: 'pi_1' }
    for (const type of ['payment_intent.created', 'charge.succeeded']) {
      const event = signEvent(object, current(), { type })
      expect(gateway.readEvent(...event)).toMatchObject({ reference: 'pi_1', about: 'nothing' })
    }
    const paid = signEvent(object, current(), { type: 'payment_intent.succeeded' })
    expect(gateway.readEvent(...paid)).toMatchObject({ about: 'payment' })
  })

  it('events are rejected without a valid signature over the exact bytes (T90)', async () => {
    const [body, headers] = signEvent({ object: 'payment_intent', id: 'pi_1' })
    const changedBody = Buffer.from(body)
    changedBody[10] = (changedBody[10] ?? 0) ^ 1
    const withMark = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])
    const brokenBody = Buffer.concat([body.subarray(0, -1), Buffer.from([0xff, 0x7d])])
    const other = createCardGateway({ ...providers.card, webhookSecret: 'whsec_other' })

    expect(gateway.readEvent(body, headers).event_id).toBe('evt_1')
    for (const read of [
      () => gateway.readEvent(changedBody, headers),
      () => gateway.readEvent(withMark, headers),
      () => gateway.readEvent(brokenBody, headers),
      () => gateway.readEvent(Buffer.alloc(0), headers),
      () => gateway.readEvent(body, {}),
      () => gateway.readEvent(body, { 'stripe-signature': 't=1,v1=00' }),
      () => gateway.readEvent(body, { 'stripe-signature': [headers['stripe-signature'], 'x'] }),
      () => other.readEvent(body, headers),
    ]) {
      expect(thrown(read)).toMatchObject(unsigned)
    }
  })

  it('events are valid for five minutes (T90)', () => {
    const subject = { object: 'payment_intent', id: 'pi_1' }
    expect(gateway.readEvent(...signEvent(subject, current() - 290)).reference).toBe('pi_1')
    expect(thrown(() => gateway.readEvent(...signEvent(subject, current() - 310)))).toMatchObject(
      unsigned,
    )
  })

  it('events with a signature but without content have no subject', () => {
    const empty = signEvent({}, undefined, { data: undefined })
    expect(gateway.readEvent(...empty)).toMatchObject({
      event_id: expect.any(String),
      reference: undefined,
      attempt_id: undefined,
      about: 'payment',
    })
    const nameless = signEvent({}, undefined, { id: undefined })
    expect(thrown(() => gateway.readEvent(...nameless))).toMatchObject(unsigned)
  })
})

describe('a provider', () => {
  const away = { kind: 'unavailable', code: 'unavailable_payment_provider' }

  it('that is unreachable is unavailable', async () => {
    const unreachable = createCardGateway({ ...providers.card, apiUrl: 'http://127.0.0.1:9' })
    await expect(unreachable.look('pi_1')).rejects.toMatchObject({
      ...away,
      details: { retry_after_seconds: expect.any(Number) },
    })
  })

  it.each([
    { status: 500, body: '{"error":{"type":"api_error","message":"secret sk_live_1"}}' },
    { status: 429, body: '{"error":{"type":"invalid_request_error","code":"rate_limit"}}' },
    { status: 200, body: '<html>Sign in to the airport</html>' },
  ])('that answers $status without useful content is unavailable', async ({ status, body }) => {
    const server = createServer((_request, response) => response.writeHead(status).end(body))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const failingGateway = createCardGateway({ ...providers.card, apiUrl })
    await expect(failingGateway.look('pi_1')).rejects.toMatchObject(away)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  it('that refuses our key is reported by codes, without keys and messages', async () => {
    const secretKey = 'sk_test_wrong_key'
    const stranger = createCardGateway({ ...providers.card, secretKey, apiUrl: providers.url })
    const refusal = await stranger.look('pi_none').catch((error: Error) => error)
    const missing = await gateway.look('pi_none').catch((error: Error) => error)

    expect((refusal as Error).message).toMatch(/^Stripe refused to look: 401, req_\w+\.$/)
    expect((missing as Error).message).toMatch(/^Stripe refused to look: 404, resource_missing/)
    expect(JSON.stringify(refusal) + String((refusal as Error).stack)).not.toContain(secretKey)
  })
})
