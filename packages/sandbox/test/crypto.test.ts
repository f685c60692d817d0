import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cryptoKeys, type TestSandbox, testSandbox } from './support.ts'

let sandbox: TestSandbox
const clock = { ahead_ms: 0 }
const now = () => new Date(Date.now() + clock.ahead_ms)
beforeAll(async () => {
  sandbox = await testSandbox({ now })
})
afterAll(() => sandbox.close())

const store = `/stores/${cryptoKeys.storeId}`
const make = async (more: object = {}) =>
  (await sandbox.greenfield('POST', `${store}/invoices`, { amount: '19.99', ...more })).json
const look = async (id: string) => (await sandbox.greenfield('GET', `${store}/invoices/${id}`)).json
const methods = async (id: string) =>
  (await sandbox.greenfield('GET', `${store}/invoices/${id}/payment-methods`)).json
const pay = async (id: string, body: object = {}) => sandbox.act(`/invoices/${id}/pay`, body)
const standing = async (id: string) => {
  const { status, additionalStatus } = await look(id)
  return `${status} ${additionalStatus}`
}

describe('an invoice', () => {
  it('an invoice has several payment methods, at a fixed rate', async () => {
    const metadata = { orderId: 'attempt-7', itemDesc: 'An emoji id' }
    const invoice = await make({ currency: 'USD', metadata, checkout: { expirationMinutes: 5 } })
    const prompts = await methods(invoice.id)

    expect(invoice).toMatchObject({
      storeId: cryptoKeys.storeId,
      amount: '19.99',
      paidAmount: '0.00',
      currency: 'USD',
      status: 'New',
      additionalStatus: 'None',
      metadata,
      type: 'Standard',
      checkoutLink: `${sandbox.url()}/pay/invoice/${invoice.id}`,
      availableStatusesForManualMarking: ['Settled', 'Invalid'],
    })
    expect(invoice.expirationTime - invoice.createdTime).toBe(300)
    expect(prompts).toMatchObject([
      { paymentMethodId: 'BTC-CHAIN', currency: 'BTC', rate: '97531.86', due: '0.00020496' },
      { paymentMethodId: 'BTC-LN', currency: 'BTC', amount: '0.00020496', payments: [] },
      { paymentMethodId: 'BTC-LNURL', currency: 'BTC', destination: null },
      { paymentMethodId: 'XMR-CHAIN', currency: 'XMR', rate: '161.83', due: '0.123524686400' },
    ])
  })

  it('that is paid and confirmed is settled', async () => {
    const { id } = await make()
    await pay(id)
    const [bitcoin] = await methods(id)

    expect(await standing(id)).toBe('Settled None')
    expect((await look(id)).paidAmount).toBe('19.99')
    expect(bitcoin).toMatchObject({
      due: '0.00000000',
      totalPaid: '0.00020496',
      payments: [{ value: '0.00020496', status: 'Settled', id: expect.stringMatching(/-0$/) }],
    })
  })

  it('that is paid but not confirmed is processing until then', async () => {
    const { id } = await make()
    await pay(id, { confirmed: false })
    expect(await standing(id)).toBe('Processing None')
    expect((await methods(id))[0].payments[0].status).toBe('Processing')
    await sandbox.act(`/invoices/${id}/confirm`)
    expect(await standing(id)).toBe('Settled None')
  })

  it('that is paid by Lightning needs no confirmation', async () => {
    const { id } = await make()
    await pay(id, { method: 'BTC-LN', confirmed: false })
    expect(await standing(id)).toBe('Settled None')
  })

  it('that is paid in parts waits for the rest, in whatever coin', async () => {
    const { id } = await make()
    await pay(id, { percent: 40 })
    expect(await standing(id)).toBe('New PaidPartial')
    await pay(id, { method: 'XMR-CHAIN' })
    expect(await standing(id)).toBe('Settled None')
    expect((await look(id)).paidAmount).toMatch(/^19\.99|20\.00$/)
  })

  it('that is overpaid reports it', async () => {
    const { id } = await make()
    await pay(id, { percent: 150, confirmed: false })
    expect(await standing(id)).toBe('Processing PaidOver')
    await sandbox.act(`/invoices/${id}/confirm`)
    expect(await standing(id)).toBe('Settled PaidOver')
    expect((await look(id)).paidAmount).toBe('29.98')
  })

  it('counts a further payment on chain without its fee, and asks for the fee', async () => {
    const { id } = await make()
    await pay(id, { percent: 50 })
    const [bitcoin, lightning] = await methods(id)
    await pay(id)
    const [paidMethod] = await methods(id)

    expect(bitcoin).toMatchObject({ due: '0.00010348', paymentMethodFee: '0.00000100' })
    expect(lightning).toMatchObject({ due: '0.00010248', paymentMethodFee: '0.00000000' })
    expect(await standing(id)).toBe('Settled None')
    expect((await look(id)).paidAmount).toBe('19.99')
    expect(paidMethod.payments).toMatchObject([
      { value: '0.00010248', fee: '0.00000000' },
      { value: '0.00010348', fee: '0.00000100' },
    ])
  })

  it('that is overpaid has a negative due amount', async () => {
    const { id } = await make()
    await pay(id, { percent: 150 })
    expect((await methods(id))[0]).toMatchObject({ due: '-0.00010248' })
  })

  it('counts as paid within its tolerance', async () => {
    const { id } = await make({ checkout: { paymentTolerance: 1 } })
    await pay(id, { percent: 98.9 })
    expect(await standing(id)).toBe('New PaidPartial')
    await pay(id, { method: 'BTC-LN', percent: 0.2 })
    expect(await standing(id)).toBe('Settled None')
  })

  it('expires by time: with nothing, with a part, or paid too late', async () => {
    const [none, part, late] = await Promise.all([make(), make(), make()])
    await pay(part.id, { percent: 50 })
    clock.ahead_ms += 16 * 60_000
    const expired = await Promise.all([none, part, late].map(({ id }) => standing(id)))
    await pay(late.id)

    expect(expired).toEqual(['Expired None', 'Expired PaidPartial', 'Expired None'])
    expect(await standing(late.id)).toBe('Expired PaidLate')
  })

  it('an invoice is invalid if a seen payment is never confirmed', async () => {
    const [slow, fake] = await Promise.all([make(), make()])
    await pay(slow.id, { confirmed: false })
    await pay(fake.id, { confirmed: false })
    await sandbox.act(`/invoices/${fake.id}/fail`)
    clock.ahead_ms += 25 * 60 * 60_000

    expect(await standing(slow.id)).toBe('Invalid None')
    expect(await standing(fake.id)).toBe('Invalid Invalid')
    const all = `${store}/invoices/${fake.id}/payment-methods?onlyAccountedPayments=false`
    expect((await sandbox.greenfield('GET', all)).json[0].payments[0].status).toBe('Invalid')
    expect((await methods(fake.id))[0].payments).toEqual([])
  })

  it('an invoice can be marked by hand in certain states', async () => {
    const { id } = await make()
    const mark = async (status: unknown) =>
      sandbox.greenfield('POST', `${store}/invoices/${id}/status`, { status })
    expect((await mark('Expired')).status).toBe(422)
    expect((await mark('Invalid')).json).toMatchObject({ status: 'Invalid' })
    expect(await standing(id)).toBe('Invalid Marked')
    expect((await mark('Invalid')).json).toMatchObject([{ path: 'status' }])
    expect((await mark('Settled')).json).toMatchObject({ additionalStatus: 'Marked' })
  })

  it('still accepts money after it was marked invalid', async () => {
    const { id } = await make()
    await sandbox.greenfield('POST', `${store}/invoices/${id}/status`, { status: 'Invalid' })
    await pay(id)
    expect(await standing(id)).toBe('Invalid Marked')
    expect((await methods(id))[0].payments).toHaveLength(1)
  })

  it('an invoice without an amount accepts any payment', async () => {
    const { id, type } = await make({ amount: null })
    await pay(id, { amount: '0.001' })
    expect(type).toBe('TopUp')
    expect(await look(id)).toMatchObject({ status: 'Settled', amount: '97.53' })
  })

  it('an invoice can be found by order, changed and archived', async () => {
    const { id } = await make({ metadata: { orderId: 'attempt-9' } })
    const list = async () =>
      (await sandbox.greenfield('GET', `${store}/invoices?orderId=attempt-9&take=5`)).json
    const invoices = await list()
    await sandbox.greenfield('PUT', `${store}/invoices/${id}`, {
      metadata: { orderId: 'attempt-10' },
    })
    const movedInvoice = await look(id)
    await sandbox.greenfield('DELETE', `${store}/invoices/${id}`)
    const secondAnswer = await sandbox.greenfield('POST', `${store}/invoices/${id}/unarchive`)

    expect(invoices.map((invoice: { id: string }) => invoice.id)).toEqual([id])
    expect(movedInvoice.metadata).toEqual({ orderId: 'attempt-10' })
    expect(await list()).toEqual([])
    expect(secondAnswer.json).toMatchObject({ archived: false })
  })

  it.each([
    { fault: 'a negative amount', body: { amount: '-1' }, path: 'amount' },
    { fault: 'a strange currency', body: { currency: 'ZZZ' }, path: 'currency' },
    {
      fault: 'no time',
      body: { checkout: { expirationMinutes: 0 } },
      path: 'checkout.expirationMinutes',
    },
    {
      fault: 'an unknown coin',
      body: { checkout: { paymentMethods: ['X'] } },
      path: 'checkout.paymentMethods[0]',
    },
    { fault: 'metadata that is none', body: { metadata: 'x' }, path: 'metadata' },
  ])('an invoice with $fault is refused', async ({ body, path }) => {
    const { status, json } = await sandbox.greenfield('POST', `${store}/invoices`, body)
    expect(status).toBe(422)
    expect(json).toContainEqual({ path, message: expect.any(String) })
  })
})

it('the crypto sandbox has no path without its store, as in BTCPay before 2.4.0', async () => {
  const { id } = await make()
  const statuses = await Promise.all(
    [`/invoices/${id}`, `/invoices/${id}/payment-methods`, '/webhooks/sandbox'].map(
      async (path) => (await sandbox.greenfield('GET', path)).status,
    ),
  )
  expect(statuses).toEqual([404, 404, 404])
})

describe('the key', () => {
  it('the key is required, for its own store', async () => {
    const bareAnswer = await sandbox.send('GET', `/api/v1${store}/invoices`)
    const otherAnswer = await sandbox.greenfield('GET', '/stores/other/invoices')
    expect([bareAnswer.status, bareAnswer.json.code]).toEqual([401, 'unauthenticated'])
    expect([otherAnswer.status, otherAnswer.json.code]).toEqual([403, 'missing-permission'])
    expect((await sandbox.greenfield('GET', `${store}/invoices/none`)).status).toBe(404)
  })
})

describe('a refund', () => {
  const custom = { refundVariant: 'Custom', customAmount: '5.00', customCurrency: 'USD' }
  const refund = (id: string, body: object) =>
    sandbox.greenfield('POST', `${store}/invoices/${id}/refund`, body)

  it('a refund is a claim that the buyer completes with an address', async () => {
    const { id } = await make()
    await pay(id)
    const { json } = await refund(id, {
      ...custom,
      description: 'r1',
      payoutMethodId: 'BTC-CHAIN',
    })
    const listAnswer = await sandbox.greenfield('GET', `${store}/pull-payments`)

    expect(json).toMatchObject({
      currency: 'USD',
      amount: '5.00',
      description: 'r1',
      archived: false,
      viewLink: `${sandbox.url()}/claim/${json.id}`,
    })
    expect(listAnswer.json).toContainEqual(json)
  })

  it.each([
    { variant: 'Fiat', amount: '29.98', currency: 'USD' },
    { variant: 'RateThen', amount: '0.00030744', currency: 'BTC' },
    { variant: 'CurrentRate', amount: '0.00030744', currency: 'BTC' },
    { variant: 'OverpaidAmount', amount: '0.00010248', currency: 'BTC' },
  ])('a refund may be $variant', async ({ variant, amount, currency }) => {
    const { id } = await make()
    await pay(id, { percent: 150 })
    const { json } = await refund(id, { refundVariant: variant, payoutMethodId: 'BTC-CHAIN' })
    expect(json).toMatchObject({ amount, currency })
  })

  it('a refund of an open invoice, by another coin or of zero is refused', async () => {
    const { id } = await make({ checkout: { paymentMethods: ['BTC-CHAIN'] } })
    const earlyRefund = await refund(id, custom)
    await pay(id)

    expect([earlyRefund.status, earlyRefund.json.code]).toEqual([400, 'non-refundable'])
    expect((await refund(id, {})).json).toMatchObject([{ path: 'refundVariant' }])
    expect((await refund(id, { ...custom, customAmount: '0' })).json).toMatchObject([
      { path: 'customAmount' },
    ])
    const monero = await refund(id, { ...custom, payoutMethodId: 'XMR-CHAIN' })
    expect([monero.status, monero.json]).toMatchObject([422, [{ path: 'payoutMethodId' }]])
    expect((await refund(id, { refundVariant: 'OverpaidAmount' })).json).toMatchObject([
      { path: 'refundVariant' },
    ])
  })
})

describe("the store's payment methods", () => {
  it('can be turned off and on again', async () => {
    const path = `${store}/payment-methods/XMR-CHAIN`
    await sandbox.greenfield('DELETE', path)
    const { id } = await make()
    const enabledMethods = await sandbox.greenfield(
      'GET',
      `${store}/payment-methods?onlyEnabled=true`,
    )
    await sandbox.greenfield('PUT', path, { enabled: true })

    expect(await methods(id)).toHaveLength(3)
    expect(enabledMethods.json).toHaveLength(3)
    expect((await sandbox.greenfield('GET', path)).json).toMatchObject({ enabled: true })
  })
})
