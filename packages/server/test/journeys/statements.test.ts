import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import Stripe from 'stripe'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Container } from '../../src/container.ts'
import { makeCode, redemptionCode } from '../support/codes.ts'
import { at, insertOwnedId, newId } from '../support/ids.ts'
import {
  bearer,
  goodPassword,
  newcomer,
  newEmail,
  registerAs,
  type Tokens,
} from '../support/people.ts'
import { enableApp } from '../support/second-factor.ts'
import { buyer, type Order, shopService } from '../support/shop.ts'
import { recordStatements, withoutRecord } from '../support/statements.ts'
import { transferSteps } from '../support/transfers.ts'

// Each journey has a committed list of its statements in `__snapshots__`. A difference shows the new
// statement. If it is needed: npm test -- journeys/statements --update

let container: Container | undefined
/** Without a worker: the test runs each job, so that it records its statements. */
const shop = await shopService(
  { ROLES: 'api,auth,web' },
  {
    override: (built) => {
      container = built
      return built
    },
  },
)

type Steps = Record<string, string[]>

/** A journey as text: its sums, and the statements of each step. */
function list(steps: Steps): string {
  const all = Object.values(steps).flat()
  const transactions = all.filter((text) => text === 'begin').length
  const lines = Object.entries(steps).flatMap(([name, texts]) => [
    `${name}: ${texts.length}`,
    ...texts.map((text) => `  ${text}`),
  ])
  return [`${all.length} statements, transactions: ${transactions}`, ...lines].join('\n')
}

/** Runs the waiting jobs of these tasks, as the worker does. */
async function runJobs(...names: string[]): Promise<void> {
  const jobs = await withoutRecord(() => takeJobs(names))
  const tasks = Object.assign({}, ...(container?.jobs ?? []).map((module) => module.tasks))
  for (const { name, payload } of jobs) await tasks[name](payload)
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

/** Calls the API inside this process, so that its statements are recorded. */
async function call<Result>(
  method: 'GET' | 'POST' | 'PATCH' | 'PUT',
  url: string,
  body?: object,
  { access_token }: Partial<Tokens> = {},
  more: Record<string, string> = {},
) {
  const answer = await shop.app.inject({
    method,
    url,
    headers: { ...(access_token ? bearer(access_token).headers : {}), ...more },
    ...(body ? { payload: body } : {}),
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json<Result>()
}

const { webhooks } = new Stripe('sk_test_unused')
let events = 0

function sendCardEvent(type: string, object: object) {
  events++
  const payload = JSON.stringify({ id: `evt_${events}`, object: 'event', type, data: { object } })
  const signature = webhooks.generateTestHeaderString({ payload, secret: shop.secrets.card })
  return sendEvent('card', payload, { 'stripe-signature': signature })
}

function sendCryptoEvent(type: string, invoiceId: string) {
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

/** A buyer who adds ids to the cart, and the code for them. */
async function fillCart(ids: number, code = {}) {
  const person = await buyer(shop)
  const { redemption_code } = await makeCode(operator, redemptionCode(code))
  const items = Array.from({ length: ids }, () => ({ emoji_id: newId() }))
  const post = (path: string, body: object) =>
    call<Order>('POST', `/api/cart${path}`, body, person.tokens)
  const cart = await recordStatements(() => post('', { items }))
  return { person, code: redemption_code, post, cart }
}

/** One purchase of ids with a promo code; returns the statements of its steps. */
async function buy(method: 'CardCheckout' | 'CryptoCommerce', ids = 1) {
  const { person, code, post, cart } = await fillCart(ids)
  const steps: Steps = { cart }
  await shop.atProvider('/webhooks', { off: true })
  let order: Order | undefined
  steps['checkout'] = await recordStatements(async () => {
    order = await post('/checkout', { method })
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
  const check = () => runJobs('payments.check', 'payments.dispute')
  steps['creation events'] = await recordStatements(() =>
    isCard
      ? sendCardEvent('payment_intent.created', object)
      : sendCryptoEvent('InvoiceCreated', invoice),
  )
  steps['checks before the payment'] = await recordStatements(check)
  steps['code'] = await recordStatements(async () => {
    order = await post('/promo_code', { code })
  })
  // The invoice of another amount was replaced.
  steps['checks after the code'] = await recordStatements(check)
  await shop.pay(order as Order)
  const paid = order?.payment_method_data?.invoice_id ?? ''
  steps['payment events'] = await recordStatements(async () => {
    if (isCard) {
      await sendCardEvent('charge.succeeded', charge)
      await sendCardEvent('payment_intent.succeeded', object)
    } else {
      for (const type of ['ReceivedPayment', 'Processing', 'PaymentSettled', 'Settled']) {
        await sendCryptoEvent(`Invoice${type}`, paid)
      }
    }
  })
  steps['checks of the payment'] = await recordStatements(check)
  steps['checks afterwards'] = await recordStatements(check)
  steps['order'] = await recordStatements(async () => {
    order = await call('GET', `/api/orders/${id}`, undefined, person.tokens)
  })
  expect(order?.status).toBe('Paid')
  await shop.atProvider('/webhooks', { off: false })
  return list(steps)
}

/** A purchase whose code covers the whole price. */
async function buyWithCode(ids = 1) {
  const { code, post, cart } = await fillCart(ids, { discount_as_percentage: 100 })
  const checkout = await recordStatements(() => post('/checkout', { method: 'CardCheckout' }))
  const applied = await recordStatements(() => post('/promo_code', { code }))
  let order: Order | undefined
  const free = await recordStatements(async () => {
    order = await post('/checkout', { method: 'Free' })
  })
  expect(order?.status).toBe('Paid')
  return list({ cart, checkout, code: applied, 'checkout without payment': free })
}

const purchases = {
  'by card': (ids: number) => buy('CardCheckout', ids),
  'by BTCPay': (ids: number) => buy('CryptoCommerce', ids),
  'with a code that covers the price': buyWithCode,
}

describe.each(Object.entries(purchases))('a purchase %s', (_name, purchase) => {
  beforeAll(() => purchase(1))

  it('takes the listed statements', async () => {
    expect(await purchase(1)).toMatchSnapshot()
  })

  it('takes as many for seven ids as for one', async () => {
    expect(await purchase(7)).toBe(await purchase(1))
  })
})

const address = { tag: '0x1003', data: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }
const otherAddress = { tag: '0x1003', data: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }

/** The statements of one request of an owner of an id. */
const editAsOwner = async (hours: number) => {
  const person = await newcomer(shop, { isVerified: true })
  const path = at(await insertOwnedId(shop, person.id))
  const patch = (record: object) => call('PATCH', path, { insert: [record] }, person.tokens)
  await patch(address)
  if (hours) await call('PUT', `${path}/delay_lock`, { hours }, person.tokens)
  return { edit: await recordStatements(() => patch(otherAddress)) }
}

const newAccount = () => newcomer(shop, { password: goodPassword, isVerified: true })
const browser = { 'user-agent': 'Browser/1.0' }
const signIn = ({ email }: { email: string }) =>
  call<Tokens>('POST', '/api/auth/token', { email, password: goodPassword }, {}, browser)

const transfers = transferSteps(shop, operator)

const journeys: Record<string, () => Promise<Steps>> = {
  'an edit': () => editAsOwner(0),
  'an edit with a delay lock': () => editAsOwner(24),
  'a sign-in': async () => {
    const person = await newAccount()
    await signIn(person)
    return { 'sign-in': await recordStatements(() => signIn(person)) }
  },
  'a sign-in with a second factor': async () => {
    const person = await newAccount()
    const { app } = await enableApp(shop, person)
    let tokens: Tokens | undefined
    const password = await recordStatements(async () => {
      tokens = await signIn(person)
    })
    const body = { refresh_token: tokens?.refresh_token, code: app.next() }
    return { password, code: await recordStatements(() => call('POST', '/api/auth/2fa', body)) }
  },
  'a refresh of a session': async () => {
    const { refresh_token } = (await newAccount()).tokens
    const refresh = () => call('POST', '/api/auth/token/refresh', { refresh_token })
    return { refresh: await recordStatements(refresh), repeat: await recordStatements(refresh) }
  },
  'a registration': async () => {
    const body = { email: newEmail(), password: goodPassword }
    return { registration: await recordStatements(() => call('POST', '/api/users', body)) }
  },
  'a transfer': async () => {
    const [anna, bert] = [await newAccount(), await newAccount()]
    const eid = await insertOwnedId(shop, anna.id)
    const request = () => call('POST', '/api/transfers', { eid, email: bert.email }, anna.tokens)
    const sent = await transfers.inserted('awaiting_sender')
    const offered = await transfers.inserted('awaiting_receiver')
    const confirm = () =>
      call(
        'POST',
        transfers.path(sent.transfer, '/sender_accept'),
        { code: sent.code },
        sent.anna.tokens,
      )
    const accept = () =>
      call(
        'POST',
        transfers.path(offered.transfer, '/receiver_accept'),
        { code: offered.code },
        offered.bert.tokens,
      )
    return {
      request: await recordStatements(request),
      confirmation: await recordStatements(confirm),
      acceptance: await recordStatements(accept),
    }
  },
}

it.each(Object.entries(journeys))('%s takes the listed statements', async (_name, journey) => {
  await journey()
  expect(list(await journey())).toMatchSnapshot()
})
