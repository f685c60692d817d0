import { AsyncLocalStorage } from 'node:async_hooks'
import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import Stripe from 'stripe'
import { expect, it } from 'vitest'
import type { Container } from '../../src/container.ts'
import { makeCode, redemptionCode } from '../support/codes.ts'
import { newId } from '../support/ids.ts'
import { registerAs } from '../support/people.ts'
import { buyer, type Order, shopService } from '../support/shop.ts'

/** The statements of the work in progress. Those of other work in this process do not count. */
const statements = new AsyncLocalStorage<string[]>()

const { query } = pg.Client.prototype
pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
  const [first] = args as [string | { text: string }]
  statements.getStore()?.push(typeof first === 'string' ? first : first.text)
  return Reflect.apply(query, this, args)
} as typeof query

let container: Container | undefined
/** Without a worker: the test runs each job, so that it counts its statements. */
const shop = await shopService(
  { ROLES: 'api,auth,web' },
  {
    override: (built) => {
      container = built
      return built
    },
  },
)

type Count = { statements: number; transactions: number }

async function count(work: () => Promise<unknown>): Promise<Count> {
  const all: string[] = []
  await statements.run(all, work)
  // Every process reads the prices from time to time, for all buyers.
  const texts = all.filter((text) => !text.includes('from "price_tables"'))
  const transactions = texts.filter((text) => /^begin|^start transaction/i.test(text)).length
  return { statements: texts.length, transactions }
}

/** Runs the waiting jobs of these tasks, as the worker does; returns their number. */
async function runJobs(...names: string[]): Promise<number> {
  const jobs = await statements.exit(() => takeJobs(names))
  const tasks = Object.assign({}, ...(container?.jobs ?? []).map((module) => module.tasks))
  for (const { name, payload } of jobs) await tasks[name](payload)
  return jobs.length
}

async function takeJobs(names: readonly string[]) {
  const { rows } = await sql<{ id: string; name: string; payload: unknown }>`
    select job.id, task.identifier as name, job.payload
    from graphile_worker._private_jobs job
    join graphile_worker._private_tasks task on task.id = job.task_id
    where task.identifier = any (${names}) and job.run_at <= now() order by job.id`.execute(shop.db)
  await sql`delete from graphile_worker._private_jobs
    where id = any (${rows.map(({ id }) => id)}::bigint[])`.execute(shop.db)
  return rows
}

/** Calls the API inside this process, so that its statements count here. */
async function call(method: 'GET' | 'POST', url: string, token: string, body?: object) {
  const answer = await shop.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(body ? { payload: body } : {}),
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<Order>()
}

const { webhooks } = new Stripe('sk_test_unused')
let events = 0

async function sendCardEvent(type: string, object: object) {
  events++
  const payload = JSON.stringify({ id: `evt_${events}`, object: 'event', type, data: { object } })
  const signature = webhooks.generateTestHeaderString({ payload, secret: shop.secrets.card })
  return sendEvent('card', payload, { 'stripe-signature': signature })
}

async function sendCryptoEvent(type: string, invoiceId: string) {
  events++
  const timestamp = Math.floor(Date.now() / 1_000)
  const payload = JSON.stringify({ originalDeliveryId: `d${events}`, type, invoiceId, timestamp })
  const hmac = createHmac('sha256', shop.secrets.crypto).update(payload).digest('hex')
  return sendEvent('crypto', payload, { 'btcpay-sig': `sha256=${hmac}` })
}

async function sendEvent(name: string, payload: string, headers: Record<string, string>) {
  const type = { 'content-type': 'application/json' }
  const url = `/api/webhooks/${name}`
  const answer = await shop.app.inject({
    method: 'POST',
    url,
    headers: { ...type, ...headers },
    payload,
  })
  expect(answer.statusCode, answer.body).toBe(200)
}

const operator = await registerAs(shop, 'Admin')

/** One purchase of ids with a promo code; returns the costs of its steps. */
async function buy(method: 'CardCheckout' | 'CryptoCommerce', ids = 1) {
  const person = await buyer(shop)
  const { access_token: token } = person.tokens
  const { redemption_code: code } = await makeCode(operator, redemptionCode())
  const items = Array.from({ length: ids }, () => ({ emoji_id: newId() }))
  const steps: Record<string, Count> = {}
  const cart = () => call('POST', '/api/cart', token, { items })
  steps['cart'] = await count(cart)
  await shop.atProvider('/webhooks', { off: true })
  let order: Order | undefined
  steps['checkout'] = await count(async () => {
    order = await call('POST', '/api/cart/checkout', token, { method })
  })
  const { id = '', payment_method_data } = order ?? {}
  const isCard = method === 'CardCheckout'
  const intent = payment_method_data?.payment_intent_id ?? ''
  const invoice = payment_method_data?.invoice_id ?? ''
  const attempt = await shop.db
    .selectFrom('payment_attempts')
    .select('id')
    .where('order_id', '=', id)
    .executeTakeFirstOrThrow()
  const metadata = { attempt_id: attempt.id }
  const object = { object: 'payment_intent', id: intent, metadata }
  const charge = { object: 'charge', payment_intent: intent, metadata }
  let checks = 0
  const check = async () => {
    checks += await runJobs('payments.check', 'payments.dispute')
  }
  steps['creation events'] = await count(() =>
    isCard
      ? sendCardEvent('payment_intent.created', object)
      : sendCryptoEvent('InvoiceCreated', invoice),
  )
  steps['checks before the payment'] = await count(check)
  steps['code'] = await count(async () => {
    order = await call('POST', '/api/cart/promo_code', token, { code })
  })
  steps['checks after the code'] = await count(check)
  await shop.pay(order as Order)
  const paid = order?.payment_method_data?.invoice_id ?? ''
  steps['payment events'] = await count(async () => {
    if (isCard) {
      await sendCardEvent('charge.succeeded', charge)
      await sendCardEvent('payment_intent.succeeded', object)
    } else {
      for (const type of ['ReceivedPayment', 'Processing', 'PaymentSettled', 'Settled']) {
        await sendCryptoEvent(`Invoice${type}`, paid)
      }
    }
  })
  steps['checks of the payment'] = await count(check)
  steps['checks afterwards'] = await count(check)
  steps['order'] = await count(async () => {
    order = await call('GET', `/api/orders/${id}`, token)
  })
  expect(order?.status).toBe('Paid')
  await shop.atProvider('/webhooks', { off: false })
  return { steps, checks }
}

/** The statements of each step, and the transactions of all. They may only fall. */
const most = {
  CardCheckout: {
    steps: {
      cart: 10,
      checkout: 23,
      'creation events': 1,
      'checks before the payment': 0,
      code: 14,
      'checks after the code': 0,
      'payment events': 2,
      'checks of the payment': 24,
      'checks afterwards': 0,
      order: 4,
    },
    transactions: 4,
    checks: 1,
  },
  CryptoCommerce: {
    steps: {
      cart: 10,
      checkout: 19,
      'creation events': 1,
      'checks before the payment': 0,
      code: 20,
      // The invoice of another amount was replaced.
      'checks after the code': 7,
      'payment events': 4,
      'checks of the payment': 23,
      'checks afterwards': 0,
      order: 4,
    },
    transactions: 6,
    checks: 2,
  },
}

async function measure(method: 'CardCheckout' | 'CryptoCommerce', ids: number) {
  const { steps, checks } = await buy(method, ids)
  const sum = (counts: Count[]) => counts.reduce((all, { transactions }) => all + transactions, 0)
  return {
    steps: Object.fromEntries(Object.entries(steps).map(([name, one]) => [name, one.statements])),
    transactions: sum(Object.values(steps)),
    checks,
  }
}

it.each(['CardCheckout', 'CryptoCommerce'] as const)(
  'a purchase with %s takes the listed statements, transactions and checks, and no more',
  async (method) => {
    await buy(method)
    expect(await measure(method, 1)).toEqual(most[method])
  },
)

it.each(['CardCheckout', 'CryptoCommerce'] as const)(
  'a purchase of seven ids with %s takes as many statements as one of a single id',
  async (method) => {
    await buy(method)
    expect(await measure(method, 7)).toEqual(most[method])
  },
)
