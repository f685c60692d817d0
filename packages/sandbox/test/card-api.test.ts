import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cardKeys, type TestSandbox, testSandbox } from './support.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.close())

const intent = { amount: 1_000, currency: 'usd' }

describe('the key', () => {
  it("is required, with an error in Stripe's format", async () => {
    await expect(sandbox.stripe('sk_test_wrong').customers.create()).rejects.toMatchObject({
      statusCode: 401,
      type: 'StripeAuthenticationError',
    })
    const unauthenticatedAnswer = await sandbox.send('GET', '/v1/customers/cus_1')
    expect(unauthenticatedAnswer.status).toBe(401)
    expect(unauthenticatedAnswer.json).toEqual({
      error: { type: 'invalid_request_error', message: expect.any(String) },
    })
    expect(unauthenticatedAnswer.text).not.toContain(cardKeys.secretKey)
  })

  it('the key is accepted as the Basic user', async () => {
    const authorization = `Basic ${Buffer.from(`${cardKeys.secretKey}:`).toString('base64')}`
    const answer = await sandbox.send('GET', '/v1/events', undefined, { authorization })
    expect(answer.status).toBe(200)
  })
})

describe('an Idempotency-Key', () => {
  it('returns the stored response, and creates one object', async () => {
    const stripe = sandbox.stripe()
    const options = { idempotencyKey: 'attempt-1' }
    const before = (await stripe.paymentIntents.list({ limit: 100 })).data
    const first = await stripe.paymentIntents.create(intent, options)
    const repeatIntents = await Promise.all(
      [1, 2, 3].map(() => stripe.paymentIntents.create(intent, options)),
    )
    const { data } = await stripe.paymentIntents.list({ limit: 100 })

    expect(repeatIntents.map(({ id }) => id)).toEqual([first.id, first.id, first.id])
    expect(repeatIntents[0]?.lastResponse.headers['idempotent-replayed']).toBe('true')
    expect(data.filter(({ id }) => id === first.id)).toHaveLength(1)
    expect(data).toHaveLength(before.length + 1)
  })

  it('an Idempotency-Key is refused for another request', async () => {
    const stripe = sandbox.stripe()
    const options = { idempotencyKey: 'attempt-2' }
    await stripe.paymentIntents.create(intent, options)
    const refusal = { statusCode: 400, type: 'StripeIdempotencyError' }
    const other = stripe.paymentIntents.create({ ...intent, amount: 2_000 }, options)
    await expect(other).rejects.toMatchObject(refusal)
    await expect(stripe.customers.create({}, options)).rejects.toMatchObject(refusal)
  })

  it('an Idempotency-Key is not used up by an invalid request', async () => {
    const stripe = sandbox.stripe()
    const options = { idempotencyKey: 'attempt-3' }
    const wrong = stripe.paymentIntents.create({ ...intent, amount: 1 }, options)
    await expect(wrong).rejects.toMatchObject({ code: 'amount_too_small' })
    expect((await stripe.paymentIntents.create(intent, options)).amount).toBe(1_000)
  })

  it('replays the decline of a card', async () => {
    const stripe = sandbox.stripe()
    const { id } = await stripe.paymentIntents.create(intent)
    const decline = () =>
      stripe.paymentIntents.confirm(
        id,
        { payment_method: 'pm_card_visa_chargeDeclined' },
        { idempotencyKey: 'attempt-4' },
      )
    await expect(decline()).rejects.toMatchObject({ statusCode: 402 })
    await expect(decline()).rejects.toMatchObject({ statusCode: 402 })
    expect((await stripe.charges.list({ payment_intent: id })).data).toHaveLength(1)
  })
})

describe('a missing object', () => {
  it.each([
    ['/v1/payment_intents/pi_1', 'resource_missing'],
    ['/v1/checkout/sessions/cs_1', 'resource_missing'],
    ['/v1/customers/cus_1', 'resource_missing'],
    ['/v1/refunds/re_1', 'resource_missing'],
    ['/v1/events/evt_1', 'resource_missing'],
    ['/v1/accounts', undefined],
  ])('%s answers 404', async (path, code) => {
    const authorization = `Bearer ${cardKeys.secretKey}`
    const { status, json } = await sandbox.send('GET', path, undefined, { authorization })
    expect(status).toBe(404)
    expect(json.error).toMatchObject({ type: 'invalid_request_error', ...(code ? { code } : {}) })
  })

  it('a missing object gets 404 also with a body that is no form', async () => {
    const authorization = `Bearer ${cardKeys.secretKey}`
    const answer = await sandbox.send('POST', '/v1/customers', { name: 'x' }, { authorization })
    expect([answer.status, answer.json.error.type]).toEqual([400, 'invalid_request_error'])
  })
})

describe('events', () => {
  it('events are listed newest first, page by page', async () => {
    const stripe = sandbox.stripe()
    const { id } = await stripe.paymentIntents.create(intent)
    await sandbox.act(`/intents/${id}/pay`)
    const events = await stripe.events.list({ limit: 100 })
    const ownEvents = events.data.filter(({ data }) => (data.object as { id?: string }).id === id)
    const types = ['payment_intent.succeeded']
    const succeeded = await stripe.events.list({ types: types as 'payment_intent.succeeded'[] })
    const paged: string[] = []
    for await (const event of stripe.events.list({ limit: 2 })) paged.push(event.id)

    expect(ownEvents.map(({ type }) => type)).toEqual([
      'payment_intent.succeeded',
      'payment_intent.created',
    ])
    expect(succeeded.data.map(({ type }) => type)).toEqual(types)
    expect(await stripe.events.retrieve(ownEvents[0]?.id ?? '')).toMatchObject({ object: 'event' })
    expect(paged).toEqual(events.data.map((event) => event.id))
  })
})
