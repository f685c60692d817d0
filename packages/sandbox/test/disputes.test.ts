import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestSandbox, testSandbox } from './support.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.close())

async function payIntent(): Promise<string> {
  const { id } = await sandbox.stripe().paymentIntents.create({
    amount: 1_000,
    currency: 'usd',
    automatic_payment_methods: { enabled: true },
  })
  await sandbox.act(`/intents/${id}/pay`)
  return id
}
const act = async (path: string, body: object = {}) => (await sandbox.act(path, body)).json
const statusOf = async (path: string, body: object = {}) => (await sandbox.act(path, body)).status

describe('a dispute', () => {
  it('withdraws the money and blocks refunds; when won, the money returns', async () => {
    const intent = await payIntent()
    const { id } = (await act(`/intents/${intent}/dispute`)) as { id: string }
    const stripe = sandbox.stripe()
    expect(await stripe.disputes.retrieve(id)).toMatchObject({
      status: 'needs_response',
      amount: 1_000,
      payment_intent: intent,
      reason: 'fraudulent',
      balance_transactions: [{ amount: -1_000, fee: 1_500, net: -2_500 }],
    })
    const refund = stripe.refunds.create({ payment_intent: intent })
    await expect(refund).rejects.toMatchObject({ statusCode: 400, code: 'charge_disputed' })
    expect(await statusOf(`/intents/${intent}/dispute`)).toBe(409)
    expect(await statusOf(`/disputes/${id}/close`, { outcome: 'warning_closed' })).toBe(409)
    expect(await statusOf(`/disputes/${id}/close`, { outcome: 'drawn' })).toBe(400)

    await act(`/disputes/${id}/close`, { outcome: 'won' })
    const [closedDispute] = (await stripe.disputes.list({ payment_intent: intent })).data
    expect(closedDispute).toMatchObject({
      id,
      status: 'won',
      balance_transactions: [{}, { amount: 1_000 }],
    })
    expect(await statusOf(`/disputes/${id}/close`, { outcome: 'lost' })).toBe(409)
    expect(await stripe.refunds.create({ payment_intent: intent })).toMatchObject({ amount: 1_000 })
  })

  it('a dispute may begin as an inquiry, which withdraws no money until it escalates', async () => {
    const intent = await payIntent()
    const inquiry = { inquiry: true, amount: 400, reason: 'unrecognized' }
    const { id } = (await act(`/intents/${intent}/dispute`, inquiry)) as { id: string }
    const stripe = sandbox.stripe()
    expect(await stripe.disputes.retrieve(id)).toMatchObject({
      status: 'warning_needs_response',
      amount: 400,
      balance_transactions: [],
      is_charge_refundable: true,
    })
    await act(`/disputes/${id}/escalate`)
    await act(`/disputes/${id}/close`, { outcome: 'lost' })
    expect(await stripe.disputes.retrieve(id)).toMatchObject({
      status: 'lost',
      balance_transactions: [{ amount: -400 }],
    })
  })

  it('a dispute is opened and closed with buttons', async () => {
    const intent = await payIntent()
    const page = `${sandbox.url()}/pay/intent/${intent}`
    const press = (action: string) =>
      fetch(page, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ action }),
      })
    const readPage = async () => (await fetch(page)).text()
    expect(await readPage()).toContain('Dispute this payment')
    expect((await press('dispute')).status).toBe(303)
    expect(await readPage()).toContain('Decide for the buyer')
    expect((await press('lost')).status).toBe(303)
    expect(await readPage()).toContain('lost')
  })
})
