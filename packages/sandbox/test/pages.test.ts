import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cryptoKeys, item, type TestSandbox, testSandbox, urls } from './support.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.close())

const form = async (path: string, fields: Record<string, string>, headers = {}) => {
  const options = { method: 'POST', redirect: 'manual' as const, headers }
  const answer = await fetch(sandbox.url() + path, {
    ...options,
    body: new URLSearchParams(fields),
  })
  return { status: answer.status, location: answer.headers.get('location') }
}
const open = (more: object = {}) =>
  sandbox
    .stripe()
    .checkout.sessions.create({ mode: 'payment', line_items: [item(1_999)], ...urls, ...more })
const invoice = async () => {
  const path = `/stores/${cryptoKeys.storeId}/invoices`
  const metadata = { itemDesc: '<script>alert(1)</script>' }
  return (await sandbox.greenfield('POST', path, { amount: '10', metadata })).json
}

describe('the page of a session', () => {
  it('accepts the payment, and redirects to the shop', async () => {
    const { id } = await open()
    const page = await sandbox.send('GET', `/pay/session/${id}`)
    const paymentAnswer = await form(`/pay/session/${id}`, { action: 'pay', card: 'visa' })

    expect(page.text).toContain('19.99 USD')
    expect(page.text).toContain(`href="${urls.cancel_url}"`)
    expect(page.text).not.toContain('Save this card')
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://localhost:3000",
    )
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(paymentAnswer).toEqual({
      status: 303,
      location: `http://localhost:3000/done?session=${id}`,
    })
    expect((await sandbox.stripe().checkout.sessions.retrieve(id)).payment_status).toBe('paid')
  })

  it('offers a customer to save the card', async () => {
    const stripe = sandbox.stripe()
    const customer = (await stripe.customers.create()).id
    const saved_payment_method_options = { payment_method_save: 'enabled' as const }
    const { id } = await open({ customer, saved_payment_method_options })
    const page = await sandbox.send('GET', `/pay/session/${id}`)
    const challengeForm = { action: 'challenge', card: 'amex', keep_card: 'yes' }
    await form(`/pay/session/${id}`, challengeForm)
    await form(`/pay/session/${id}`, { action: 'yes' })

    expect(page.text).toContain('Save this card')
    expect((await stripe.customers.listPaymentMethods(customer)).data).toMatchObject([
      { card: { brand: 'amex' } },
    ])
  })

  it('reports a declined card and allows a retry', async () => {
    const { id } = await open()
    const declined = await form(`/pay/session/${id}`, { action: 'decline' })
    const page = await sandbox.send('GET', `/pay/session/${id}`)

    expect(declined).toEqual({ status: 303, location: `/pay/session/${id}` })
    expect(page.text).toContain('Your card was declined.')
    expect(page.text).toContain('value="pay"')
  })

  it('reports an expired session', async () => {
    const { id } = await open()
    await sandbox.stripe().checkout.sessions.expire(id)
    const page = await sandbox.send('GET', `/pay/session/${id}`)
    const late = await form(`/pay/session/${id}`, { action: 'pay' })

    expect(page.text).not.toContain('value="pay"')
    expect(late.status).toBe(409)
  })
})

describe('the page of an intent', () => {
  it.each([
    { action: 'pay', status: 'succeeded' },
    { action: 'slow', status: 'processing' },
    { action: 'decline', status: 'requires_payment_method' },
  ])('handles $action', async ({ action, status }) => {
    const { id } = await sandbox.stripe().paymentIntents.create({ amount: 700, currency: 'usd' })
    const acted = await form(`/pay/intent/${id}`, { action })

    expect(acted).toEqual({ status: 303, location: `/pay/intent/${id}` })
    expect((await sandbox.stripe().paymentIntents.retrieve(id)).status).toBe(status)
    const { text } = await sandbox.send('GET', `/pay/intent/${id}`)
    expect(text).toContain(status.replaceAll('_', ' '))
  })
})

describe('the page of an invoice', () => {
  it.each([
    { steps: ['pay'], status: 'Settled None' },
    { steps: ['part'], status: 'New PaidPartial' },
    { steps: ['over'], status: 'Settled PaidOver' },
    { steps: ['unconfirmed'], status: 'Processing None' },
    { steps: ['unconfirmed', 'confirm'], status: 'Settled None' },
    { steps: ['expire', 'pay'], status: 'Expired PaidLate' },
  ])('handles $steps', async ({ steps, status }) => {
    const { id } = await invoice()
    for (const action of steps) await form(`/pay/invoice/${id}`, { action, method: 'BTC-CHAIN' })
    const { json } = await sandbox.greenfield('GET', `/stores/${cryptoKeys.storeId}/invoices/${id}`)
    const page = await sandbox.send('GET', `/pay/invoice/${id}`)

    expect(`${json.status} ${json.additionalStatus}`).toBe(status)
    expect(page.text).not.toContain('<script>')
  })
})

describe('the page of a refund', () => {
  it('accepts one address', async () => {
    const { id } = await invoice()
    await form(`/pay/invoice/${id}`, { action: 'pay', method: 'BTC-CHAIN' })
    const body = { refundVariant: 'Fiat' }
    const claim = (
      await sandbox.greenfield('POST', `/stores/${cryptoKeys.storeId}/invoices/${id}/refund`, body)
    ).json.id
    const destination = 'bcrt1qexampleexampleexample'

    expect((await form(`/claim/${claim}`, { destination: '!' })).status).toBe(400)
    expect((await form(`/claim/${claim}`, { destination })).status).toBe(303)
    expect((await form(`/claim/${claim}`, { destination })).status).toBe(409)
    expect((await sandbox.send('GET', `/claim/${claim}`)).text).toContain(destination)
    const payouts = async () =>
      (await sandbox.greenfield('GET', `/pull-payments/${claim}/payouts`)).json
    expect(await payouts()).toMatchObject([{ state: 'AwaitingApproval', payoutAmount: null }])
    expect((await form(`/claim/${claim}`, { action: 'pay' })).status).toBe(303)
    expect(await payouts()).toMatchObject([{ state: 'Completed', destination }])
    expect((await sandbox.send('GET', '/')).text).toContain(`/pay/invoice/${id}`)
  })
})

describe('the start page', () => {
  it('lists open payments and changes the webhook settings', async () => {
    const session = await open()
    const { id } = await sandbox.stripe().paymentIntents.create({ amount: 700, currency: 'usd' })
    const newInvoice = await invoice()
    const { text } = await sandbox.send('GET', '/')
    const changeAnswer = await form('/settings', { delay_s: '0.5', copies: '2', shuffled: 'yes' })
    const { json } = await sandbox.send('GET', '/sandbox/webhooks')
    await form('/settings', { delay_s: '0', copies: '1' })

    for (const path of [`session/${session.id}`, `intent/${id}`, `invoice/${newInvoice.id}`]) {
      expect(text).toContain(`/pay/${path}`)
    }
    expect(changeAnswer).toEqual({ status: 303, location: '/' })
    expect(json).toMatchObject({ delay_ms: 500, copies: 2, shuffled: true, off: false })
  })

  it('delivers an event again', async () => {
    await sandbox.stripe().customers.create()
    const { text } = await sandbox.send('GET', '/')
    const path = /action="(\/events\/evt_\w+\/deliver)"/.exec(text)?.[1] ?? ''
    const before = sandbox.receiver.received.length
    expect((await form(path, {})).status).toBe(303)
    await expect.poll(() => sandbox.receiver.received.length).toBeGreaterThan(before)
  })
})

describe('a missing page', () => {
  it.each(['/nothing', '/pay/session/cs_1', '/pay/intent/pi_1', '/pay/invoice/x', '/claim/x'])(
    '%s gets an error page',
    async (path) => {
      const { status, headers, text } = await sandbox.send('GET', path)
      expect(status).toBe(404)
      expect(headers.get('content-type')).toContain('text/html')
      expect(text).toContain('That didn’t work')
    },
  )
})

describe('other sites', () => {
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]

  it.each(foreign)('other sites cannot send a form or an action: %o', async (headers) => {
    const { id } = await open()
    const formAnswer = await form(`/pay/session/${id}`, { action: 'pay' }, headers)
    const actedAnswer = await sandbox.send('POST', `/sandbox/sessions/${id}/pay`, {}, headers)

    expect([formAnswer.status, actedAnswer.status]).toEqual([403, 403])
    expect((await sandbox.stripe().checkout.sessions.retrieve(id)).status).toBe('open')
  })

  it.each(['/', '/sandbox/webhooks'])(
    'other sites cannot reach %s under a foreign host name',
    async (path) => {
      const status = await new Promise((resolve, reject) => {
        const headers = { host: 'evil.example' }
        request(sandbox.url() + path, { headers }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
          .on('error', reject)
          .end()
      })
      expect(status).toBe(403)
    },
  )

  it.each([
    { 'x-forwarded-for': '203.0.113.7' },
    { 'x-forwarded-host': 'shop.example' },
    { 'x-forwarded-proto': 'https' },
    { 'x-real-ip': '203.0.113.7' },
    { forwarded: 'for=203.0.113.7' },
    { via: '1.1 edge' },
  ])(
    'other sites cannot reach the play money through a proxy on this machine: %o',
    async (headers) => {
      const { id } = await open()
      const answers = [
        await sandbox.send('GET', '/', undefined, headers),
        await sandbox.send('GET', `/pay/session/${id}`, undefined, headers),
        await sandbox.send('POST', `/sandbox/sessions/${id}/pay`, {}, headers),
        await form(`/pay/session/${id}`, { action: 'pay' }, headers),
      ]
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
      expect((await sandbox.stripe().checkout.sessions.retrieve(id)).status).toBe('open')
    },
  )
})

describe('an unsupported method', () => {
  it('an unsupported method gets 405 with Allow on the pages and on the crypto API', async () => {
    const ofCoins = { authorization: `token ${cryptoKeys.apiKey}` }
    const invoices = `/api/v1/stores/${cryptoKeys.storeId}/invoices`
    const requests: [string, string, object][] = [
      ['DELETE', '/', {}],
      ['GET', '/settings?x=1', {}],
      ['DELETE', '/pay/session/x', {}],
      ['GET', '/sandbox/rates', {}],
      ['DELETE', invoices, ofCoins],
      ['DELETE', '/nothing', {}],
      ['DELETE', '/api/v1/nothing', ofCoins],
    ]
    const events = []
    for (const [method, path, headers] of requests) {
      const answer = await sandbox.send(method, path, undefined, headers)
      events.push([answer.status, answer.headers.get('allow')])
    }
    expect(events).toEqual([
      [405, 'GET, HEAD'],
      [405, 'POST'],
      [405, 'GET, HEAD, POST'],
      [405, 'POST'],
      [405, 'GET, HEAD, POST'],
      [404, null],
      [404, null],
    ])
  })
})
