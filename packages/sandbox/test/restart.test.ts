import { appendFile, readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startSandbox } from '../src/sandbox.ts'
import { cryptoKeys, item, type TestSandbox, testSandbox, urls } from './support.ts'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await testSandbox()
})
afterEach(() => sandbox.close())

const file = () => join(sandbox.dataDir, 'sandbox.jsonl')
const intent = { amount: 1_000, currency: 'usd' }

describe('a restarted sandbox', () => {
  it('restores its state', async () => {
    const before = sandbox.stripe()
    const customer = (await before.customers.create()).id
    const session = await before.checkout.sessions.create({
      mode: 'payment',
      customer,
      line_items: [item(1_000)],
      ...urls,
      saved_payment_method_options: { payment_method_save: 'enabled' },
    })
    const waitingIntent = await before.paymentIntents.create(intent, { idempotencyKey: 'one' })
    const open = await before.checkout.sessions.create({
      mode: 'payment',
      line_items: [item(500)],
      ...urls,
    })
    await sandbox.act(`/sessions/${session.id}/pay`, { keep_card: true })
    const paidSession = await before.checkout.sessions.retrieve(session.id)
    const refund = await before.refunds.create({
      payment_intent: String(paidSession.payment_intent),
    })
    const store = `/stores/${cryptoKeys.storeId}`
    const invoice = await sandbox.greenfield('POST', `${store}/invoices`, { amount: '10' })
    await sandbox.act(`/invoices/${invoice.json.id}/pay`, { confirmed: false })
    await sandbox.act('/webhooks', { copies: 3 })
    await sandbox.restart()
    const after = sandbox.stripe()

    expect(await after.checkout.sessions.retrieve(session.id)).toEqual(paidSession)
    expect(await after.refunds.retrieve(refund.id)).toEqual(refund)
    expect((await after.customers.listPaymentMethods(customer)).data).toHaveLength(1)
    expect((await after.paymentIntents.create(intent, { idempotencyKey: 'one' })).id).toBe(
      waitingIntent.id,
    )
    expect((await after.checkout.sessions.retrieve(open.id)).url).toContain(sandbox.url())
    const storedAnswer = await sandbox.greenfield(
      'GET',
      `/stores/${cryptoKeys.storeId}/invoices/${invoice.json.id}`,
    )
    expect(storedAnswer.json).toMatchObject({ status: 'Processing', paidAmount: '10.00' })
    expect((await sandbox.send('GET', '/sandbox/webhooks')).json.copies).toBe(3)
  })

  it('loses at most the line that a kill cut off', async () => {
    const storedIntent = await sandbox.stripe().paymentIntents.create(intent)
    const lostIntent = await sandbox.stripe().paymentIntents.create(intent)
    await sandbox.act('/webhooks', { off: true })
    await sandbox.restart(async () => {
      const lines = (await readFile(file(), 'utf8')).split('\n')
      const whole = lines.findIndex((line) => line.includes(lostIntent.id))
      const length = lines.slice(0, whole).join('\n').length
      await truncate(file(), length + (lines[whole]?.length ?? 0) - 10)
    })
    const next = await sandbox.stripe().paymentIntents.create(intent)
    await sandbox.restart()

    const stripe = sandbox.stripe()
    expect((await stripe.paymentIntents.retrieve(storedIntent.id)).id).toBe(storedIntent.id)
    expect((await stripe.paymentIntents.retrieve(next.id)).id).toBe(next.id)
    await expect(stripe.paymentIntents.retrieve(lostIntent.id)).rejects.toMatchObject({
      statusCode: 404,
    })
  })

  it('restores a write as a whole or not at all', async () => {
    const { id } = await sandbox.stripe().paymentIntents.create(intent)
    const { size } = await stat(file())
    await sandbox.act('/webhooks', { off: true })
    await sandbox.act(`/intents/${id}/pay`)
    await sandbox.restart(() => truncate(file(), size + 2_000))
    const stripe = sandbox.stripe()

    expect((await stripe.paymentIntents.retrieve(id)).status).toBe('requires_payment_method')
    expect((await stripe.charges.list({ payment_intent: id })).data).toEqual([])
  })

  it('compacts its file', async () => {
    for (let n = 0; n < 100; n += 1) await sandbox.act('/webhooks', { delay_ms: n })
    const before = (await stat(file())).size
    await sandbox.restart()

    expect((await stat(file())).size).toBeLessThan(before / 10)
    expect((await sandbox.send('GET', '/sandbox/webhooks')).json.delay_ms).toBe(99)
  })

  it('refuses a damaged line in the middle', async () => {
    await sandbox.stripe().customers.create()
    const damage = async () => appendFile(file(), 'garbage\n')
    await expect(sandbox.restart(damage)).rejects.toThrow(/Line \d+ .* is damaged/)
  })
})

describe('a second sandbox at the same port', () => {
  it('a second sandbox at the same port does not start, and does not touch the folder', async () => {
    const port = Number(new URL(sandbox.url()).port)
    const second = startSandbox({ ...sandbox.options, port })
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' })
    const { id } = await sandbox.stripe().customers.create()
    await sandbox.restart()
    expect((await sandbox.stripe().customers.retrieve(id)).id).toBe(id)
  })
})

describe('writing', () => {
  it('costs the same for any size of the state', async () => {
    const { size } = await stat(file())
    await sandbox.act('/webhooks', { off: true })
    const stripe = sandbox.stripe()
    for (let n = 0; n < 20; n += 1) await stripe.customers.create()
    const first = (await stat(file())).size - size
    for (let n = 0; n < 20; n += 1) await stripe.customers.create()
    const more = (await stat(file())).size - size - first

    expect(more).toBeLessThan(first * 1.2)
  })
})
