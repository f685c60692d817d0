import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { item, type TestSandbox, testSandbox, urls } from './support.ts'

let sandbox: TestSandbox
const clock = { ahead_ms: 0 }
const now = () => new Date(Date.now() + clock.ahead_ms)
beforeAll(async () => {
  sandbox = await testSandbox({ now })
})
afterAll(() => sandbox.close())

const seconds = () => Math.floor(now().getTime() / 1_000)
const open = async (more: object = {}) =>
  sandbox.stripe().checkout.sessions.create({
    mode: 'payment',
    line_items: [item(1_999), item(501)],
    metadata: { attempt: '7' },
    ...urls,
    payment_intent_data: { metadata: { attempt: '7' }, description: 'Two ids' },
    ...more,
  })
const look = (id: string) =>
  sandbox.stripe().checkout.sessions.retrieve(id, { expand: ['payment_intent'] })

describe('a session', () => {
  it('a session is open until it is paid, and has no intent before the first attempt', async () => {
    const session = await open()
    const view = await look(session.id)

    expect(session.id).toMatch(/^cs_test_/)
    expect(session).toMatchObject({
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      amount_total: 2_500,
      currency: 'usd',
      metadata: { attempt: '7' },
      livemode: false,
      url: `${sandbox.url()}/pay/session/${session.id}`,
    })
    expect(view.payment_intent).toBeNull()
  })

  it('a session is complete once it is paid, with its intent and a charge', async () => {
    const session = await open()
    const paymentAnswer = await sandbox.act(`/sessions/${session.id}/pay`, { card: 'mastercard' })
    const list = await sandbox
      .stripe()
      .checkout.sessions.retrieve(session.id, { expand: ['payment_intent.latest_charge'] })

    expect(paymentAnswer.json).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      url: null,
    })
    expect(list.payment_intent).toMatchObject({
      status: 'succeeded',
      amount_received: 2_500,
      metadata: { attempt: '7' },
      description: 'Two ids',
      latest_charge: {
        amount_captured: 2_500,
        paid: true,
        metadata: { attempt: '7' },
        payment_method_details: { card: { brand: 'mastercard', last4: '4444' } },
      },
    })
  })

  it('a session stays open when the card is declined, and can be paid after that', async () => {
    const session = await open()
    await sandbox.act(`/sessions/${session.id}/decline`, { code: 'insufficient_funds' })
    const declined = await look(session.id)
    await sandbox.act(`/sessions/${session.id}/pay`)
    const paidSession = await look(session.id)

    expect(declined).toMatchObject({
      status: 'open',
      payment_intent: {
        status: 'requires_payment_method',
        last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds' },
      },
    })
    expect(paidSession).toMatchObject({
      status: 'complete',
      payment_intent: { status: 'succeeded' },
    })
    expect((paidSession.payment_intent as { id: string }).id).toBe(
      (declined.payment_intent as { id: string }).id,
    )
  })

  it.each([
    { fate: 'settle', payment_status: 'paid', intent: 'succeeded' },
    { fate: 'fail', payment_status: 'unpaid', intent: 'requires_payment_method' },
  ])(
    'a session with money on its way is complete, then: $fate',
    async ({ fate, payment_status, intent }) => {
      const session = await open()
      await sandbox.act(`/sessions/${session.id}/pay`, { outcome: 'processing' })
      const waitingSession = await look(session.id)
      const { id } = waitingSession.payment_intent as { id: string }
      await sandbox.act(`/intents/${id}/${fate}`)
      const after = await look(session.id)

      expect(waitingSession).toMatchObject({ status: 'complete', payment_status: 'unpaid' })
      expect(waitingSession.payment_intent).toMatchObject({
        status: 'processing',
        amount_received: 0,
      })
      expect(after).toMatchObject({ status: 'complete', payment_status })
      expect(after.payment_intent).toMatchObject({ status: intent })
    },
  )

  it('a session with a bank challenge is open until the decision', async () => {
    const session = await open()
    await sandbox.act(`/sessions/${session.id}/pay`, { outcome: 'requires_action' })
    const openSession = await look(session.id)
    await sandbox.act(`/intents/${(openSession.payment_intent as { id: string }).id}/settle`)
    const after = await look(session.id)

    expect(openSession).toMatchObject({
      status: 'open',
      payment_intent: { status: 'requires_action' },
    })
    expect(after).toMatchObject({ status: 'complete', payment_status: 'paid' })
  })

  it('a session can be expired while it is open, and then neither paid nor expired again', async () => {
    const session = await open()
    await sandbox.act(`/sessions/${session.id}/decline`)
    const expired = await sandbox.stripe().checkout.sessions.expire(session.id)
    const view = await look(session.id)
    const paymentAnswer = await sandbox.act(`/sessions/${session.id}/pay`)

    expect(expired).toMatchObject({ status: 'expired', url: null })
    expect(view.payment_intent).toMatchObject({ status: 'canceled' })
    expect([paymentAnswer.status, paymentAnswer.json]).toEqual([
      409,
      { error: 'This session is expired.' },
    ])
    await expect(sandbox.stripe().checkout.sessions.expire(session.id)).rejects.toMatchObject({
      statusCode: 400,
      type: 'StripeInvalidRequestError',
      message: expect.stringContaining('has a status of expired'),
    })
  })

  it('a session cannot be expired once it is complete', async () => {
    const session = await open()
    await sandbox.act(`/sessions/${session.id}/pay`)
    await expect(sandbox.stripe().checkout.sessions.expire(session.id)).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('has a status of complete'),
    })
  })

  it('expires by time', async () => {
    const session = await open({ expires_at: seconds() + 1_801 })
    clock.ahead_ms += 1_802_000
    const view = await look(session.id)

    expect(session.status).toBe('open')
    expect(view.status).toBe('expired')
  })

  it.each([
    { fault: 'too short a time', more: { expires_at: 1_700 }, param: 'expires_at' },
    { fault: 'too long a time', more: { expires_at: 86_500 }, param: 'expires_at' },
    { fault: 'less than 50 cents', more: { line_items: [item(49)] }, code: 'amount_too_small' },
    { fault: 'two currencies', more: { line_items: [item(99), item(99, 'eur')] } },
    { fault: 'no items', more: { line_items: [] }, code: 'parameter_missing' },
    { fault: 'an unknown customer', more: { customer: 'cus_1' }, code: 'resource_missing' },
    { fault: 'an address of no site', more: { success_url: 'javascript:1' }, code: 'url_invalid' },
    {
      fault: 'a parameter that this version took away',
      more: { payment_method_types: ['card'] },
      code: 'parameter_unknown',
    },
    {
      fault: 'saving without a customer',
      more: { saved_payment_method_options: { payment_method_save: 'enabled' } },
    },
  ])('a session with $fault is refused', async ({ more, param, code }) => {
    const parameters = {
      ...more,
      ...(param ? { [param]: seconds() + (more.expires_at ?? 0) } : {}),
    }
    await expect(open(parameters)).rejects.toMatchObject({
      statusCode: 400,
      type: 'StripeInvalidRequestError',
      ...(code ? { code } : {}),
      ...(param ? { param } : {}),
    })
  })

  it('saves the card of a customer who agrees, until it is detached', async () => {
    const stripe = sandbox.stripe()
    const customer = (await stripe.customers.create({ metadata: { user: '1' } })).id
    const saved_payment_method_options = { payment_method_save: 'enabled' as const }
    const bareSession = await open({ customer, saved_payment_method_options })
    const keeping = await open({ customer, saved_payment_method_options })
    await sandbox.act(`/sessions/${bareSession.id}/pay`)
    await sandbox.act(`/sessions/${keeping.id}/pay`, { card: 'visa_debit', keep_card: true })
    const { data } = await stripe.customers.listPaymentMethods(customer)
    const [card] = data
    const detached = await stripe.paymentMethods.detach(card?.id ?? '')

    expect(data).toHaveLength(1)
    expect(card).toMatchObject({
      customer,
      type: 'card',
      allow_redisplay: 'always',
      card: { brand: 'visa', last4: '5556', country: 'DE', funding: 'debit' },
    })
    expect(detached.customer).toBeNull()
    expect((await stripe.customers.listPaymentMethods(customer)).data).toEqual([])
    await expect(stripe.paymentMethods.detach(card?.id ?? '')).rejects.toMatchObject({
      statusCode: 400,
    })
    await expect(
      stripe.customers.retrievePaymentMethod(customer, card?.id ?? ''),
    ).rejects.toMatchObject({ statusCode: 404, code: 'resource_missing' })
  })

  it('saves no card if the shop did not offer it', async () => {
    const customer = (await sandbox.stripe().customers.create()).id
    const session = await open({ customer })
    await sandbox.act(`/sessions/${session.id}/pay`, { keep_card: true })
    expect((await sandbox.stripe().customers.listPaymentMethods(customer)).data).toEqual([])
  })

  it('lists its items', async () => {
    const { id } = await open()
    const expanded = await sandbox
      .stripe()
      .checkout.sessions.retrieve(id, { expand: ['line_items'] })
    const lineItems = await sandbox.stripe().checkout.sessions.listLineItems(id)

    expect(expanded.line_items?.data).toMatchObject([
      { amount_total: 1_999 },
      { amount_total: 501 },
    ])
    expect(lineItems.data).toEqual(expanded.line_items?.data)
  })
})
