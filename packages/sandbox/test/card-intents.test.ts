import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestSandbox, testSandbox } from './support.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.close())

const make = (more: object = {}) =>
  sandbox.stripe().paymentIntents.create({
    amount: 1_000,
    currency: 'usd',
    automatic_payment_methods: { enabled: true },
    ...more,
  })
const pay = async (id: string, body: object = {}) =>
  (await sandbox.act(`/intents/${id}/pay`, body)).json
const unexpected = { statusCode: 400, code: 'payment_intent_unexpected_state' }

describe('an intent', () => {
  it('an intent has a client secret, and waits for a card', async () => {
    const intent = await make({ metadata: { attempt: '7' } })
    expect(intent).toMatchObject({
      object: 'payment_intent',
      status: 'requires_payment_method',
      amount: 1_000,
      amount_received: 0,
      metadata: { attempt: '7' },
      client_secret: expect.stringMatching(`^${intent.id}_secret_`),
    })
  })

  it('an intent is paid by a buyer', async () => {
    const { id } = await make()
    expect(await pay(id)).toMatchObject({ status: 'succeeded', amount_received: 1_000 })
  })

  it('an intent is paid by confirming it with a card', async () => {
    const { id } = await make()
    const options = { payment_method: 'pm_card_visa' }
    const paidIntent = await sandbox.stripe().paymentIntents.confirm(id, options)
    expect(paidIntent).toMatchObject({ status: 'succeeded', amount_received: 1_000 })
  })

  it('that is declined names the reason, and can be retried', async () => {
    const { id } = await make()
    const options = { payment_method: 'pm_card_visa_chargeDeclined' }
    const declined = sandbox.stripe().paymentIntents.confirm(id, options)

    await expect(declined).rejects.toMatchObject({
      statusCode: 402,
      type: 'StripeCardError',
      code: 'card_declined',
      decline_code: 'generic_decline',
    })
    expect(await sandbox.stripe().paymentIntents.retrieve(id)).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { type: 'card_error', code: 'card_declined' },
    })
    expect(await pay(id)).toMatchObject({ status: 'succeeded', last_payment_error: null })
  })

  it('waits for confirmation with a known card', async () => {
    const intent = await make({ payment_method: 'pm_card_visa' })
    expect(intent.status).toBe('requires_confirmation')
  })

  it('an intent with a bank challenge names its address', async () => {
    const intent = await make({ payment_method: 'pm_card_authenticationRequired', confirm: true })
    expect(intent).toMatchObject({
      status: 'requires_action',
      next_action: { redirect_to_url: { url: `${sandbox.url()}/pay/intent/${intent.id}` } },
    })
  })

  it('changes its amount until it is paid', async () => {
    const stripe = sandbox.stripe()
    const { id } = await make()
    expect((await stripe.paymentIntents.update(id, { amount: 700 })).amount).toBe(700)
    expect((await pay(id)).amount_received).toBe(700)
    await expect(stripe.paymentIntents.update(id, { amount: 50 })).rejects.toMatchObject(unexpected)
  })

  it.each([
    { state: 'waiting', prepare: async () => {} },
    { state: 'declined', prepare: (id: string) => sandbox.act(`/intents/${id}/decline`) },
    { state: 'asked', prepare: (id: string) => pay(id, { outcome: 'requires_action' }) },
  ])('that is $state can be canceled, and then not paid', async ({ prepare }) => {
    const { id } = await make()
    await prepare(id)
    const canceled = await sandbox.stripe().paymentIntents.cancel(id)
    const paymentAnswer = await sandbox.act(`/intents/${id}/pay`)

    expect(canceled).toMatchObject({ status: 'canceled', canceled_at: expect.any(Number) })
    expect(paymentAnswer.status).toBe(409)
    await expect(sandbox.stripe().paymentIntents.cancel(id)).rejects.toMatchObject(unexpected)
  })

  it.each(['succeeded', 'processing'])('that is %s cannot be canceled', async (outcome) => {
    const { id } = await make()
    await pay(id, { outcome })
    await expect(sandbox.stripe().paymentIntents.cancel(id)).rejects.toMatchObject({
      ...unexpected,
      message: expect.stringContaining(`status of ${outcome}`),
    })
  })

  it('an intent with manual capture is set aside first', async () => {
    const stripe = sandbox.stripe()
    const { id } = await make({ capture_method: 'manual' })
    const authorized = await pay(id)
    const captured = await stripe.paymentIntents.capture(id, { amount_to_capture: 600 })

    expect(authorized).toMatchObject({
      status: 'requires_capture',
      amount_capturable: 1_000,
      amount_received: 0,
    })
    expect(captured).toMatchObject({ status: 'succeeded', amount_received: 600 })
  })

  it('saves the card of a customer if requested', async () => {
    const stripe = sandbox.stripe()
    const customer = (await stripe.customers.create()).id
    const once = await make({ customer })
    const secondIntent = await make({ customer, setup_future_usage: 'on_session' })
    await pay(once.id)
    await pay(secondIntent.id, { card: 'amex' })
    const { data } = await stripe.paymentMethods.list({ customer, type: 'card' })
    const [card] = data
    const next = await make({ customer, payment_method: card?.id, confirm: true })
    const stranger = (await stripe.customers.create()).id

    expect(data).toMatchObject([{ card: { brand: 'amex', last4: '8431' } }])
    expect(next).toMatchObject({ status: 'succeeded', payment_method: card?.id })
    await expect(
      make({ customer: stranger, payment_method: card?.id, confirm: true }),
    ).rejects.toMatchObject({ statusCode: 400 })
  })

  it.each([
    { fault: 'less than 50 cents', more: { amount: 49 }, code: 'amount_too_small' },
    { fault: 'too much', more: { amount: 100_000_000 }, code: 'amount_too_large' },
    { fault: 'half cents', more: { amount: 50.5 }, code: 'parameter_invalid_integer' },
    { fault: 'nothing', more: { amount: 0 }, code: 'parameter_invalid_integer' },
    { fault: 'no currency', more: { currency: '' }, code: 'parameter_missing' },
    { fault: 'an unknown parameter', more: { colour: 'red' }, code: 'parameter_unknown' },
    { fault: 'an unknown customer', more: { customer: 'cus_1' }, code: 'resource_missing' },
  ])('for $fault is refused', async ({ more, code }) => {
    await expect(make(more)).rejects.toMatchObject({
      statusCode: 400,
      type: 'StripeInvalidRequestError',
      code,
    })
  })
})

describe('a refund', () => {
  const payNewIntent = async () => {
    const { id } = await make()
    await pay(id)
    return id
  }

  it('returns a part, then the rest, and no more', async () => {
    const stripe = sandbox.stripe()
    const payment_intent = await payNewIntent()
    const part = await stripe.refunds.create({ payment_intent, amount: 300 })
    const tooMuch = stripe.refunds.create({ payment_intent, amount: 701 })
    await expect(tooMuch).rejects.toMatchObject({ statusCode: 400, param: 'amount' })
    const rest = await stripe.refunds.create({ payment_intent })
    const { data } = await stripe.refunds.list({ payment_intent })
    const { latest_charge } = await stripe.paymentIntents.retrieve(payment_intent)

    expect(part).toMatchObject({ status: 'succeeded', amount: 300, payment_intent })
    expect(rest.amount).toBe(700)
    expect(data.map(({ id }) => id)).toEqual([rest.id, part.id])
    expect(await stripe.refunds.retrieve(part.id)).toMatchObject({ id: part.id })
    expect(await stripe.charges.retrieve(String(latest_charge))).toMatchObject({
      refunded: true,
      amount_refunded: 1_000,
    })
    await expect(stripe.refunds.create({ payment_intent })).rejects.toMatchObject({
      statusCode: 400,
      code: 'charge_already_refunded',
    })
  })

  it('a refund of an unpaid intent is refused', async () => {
    const { id } = await make()
    const refund = sandbox.stripe().refunds.create({ payment_intent: id })
    await expect(refund).rejects.toMatchObject({ statusCode: 400 })
  })

  it.each(['pending', 'requires_action', 'canceled', 'failed', 'succeeded'])(
    'can be %s',
    async (status) => {
      const stripe = sandbox.stripe()
      const payment_intent = await payNewIntent()
      const { id } = await stripe.refunds.create({ payment_intent, amount: 400 })
      await sandbox.act(`/refunds/${id}/status`, { status })
      const [charge] = (await stripe.charges.list({ payment_intent })).data

      expect((await stripe.refunds.retrieve(id)).status).toBe(status)
      const isVoid = status === 'failed' || status === 'canceled'
      expect(charge?.amount_refunded).toBe(isVoid ? 0 : 400)
    },
  )
})
