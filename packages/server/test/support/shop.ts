import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@emojid/sandbox'
import type { DisplayOrder } from '../../src/features/shop/orders/orders.ts'
import { addJob } from '../../src/platform/jobs/jobs.ts'
import { newId } from './ids.ts'
import { logIn, mailedService, newcomer, type Person } from './people.ts'
import type { TestService } from './service.ts'
import { waitUntil } from './wait.ts'

export type Order = DisplayOrder
export type ShopService = Awaited<ReturnType<typeof shopService>>
export type Buyer = Awaited<ReturnType<typeof buyer>>

const card = { secretKey: 'sk_test_shop', webhookSecret: 'whsec_shop' }
const crypto = { apiKey: 'key', storeId: 'store', webhookSecret: 'secret' }

/** The whole service with its worker, a mail server, and the sandbox as its payment providers. */
export async function shopService(
  env: Record<string, string> = {},
  options: Pick<NonNullable<Parameters<typeof mailedService>[0]>, 'reachable' | 'override'> = {},
) {
  let place = await keepPort(0)
  const { port } = place
  const url = `http://127.0.0.1:${port}`
  const service = await mailedService({
    ...options,
    env: {
      STRIPE_SECRET_KEY: card.secretKey,
      STRIPE_WEBHOOK_SECRET: card.webhookSecret,
      STRIPE_API_URL: url,
      BTCPAY_URL: url,
      BTCPAY_API_KEY: crypto.apiKey,
      BTCPAY_STORE_ID: crypto.storeId,
      BTCPAY_WEBHOOK_SECRET: crypto.webhookSecret,
      ...env,
    },
  })
  const dataDir = await mkdtemp(join(tmpdir(), 'emojid-shop-'))
  const hooks = `${service.address}/api/webhooks`
  const open = async () => {
    await place.leave()
    return startSandbox({
      dataDir,
      port,
      card: { ...card, webhookUrl: `${hooks}/card` },
      crypto: { ...crypto, webhookUrl: `${hooks}/crypto` },
    })
  }
  let sandbox = await open()
  // Loading the modules may have delayed the database notifications.
  await waitUntil(async () => (await service.get('/health/ready')).status === 200)
  /** Acts as a buyer at a provider. */
  const atProvider = async (path: string, body: object = {}) => {
    const answer = await fetch(`${url}/sandbox${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}: ${await answer.text()}`)
    return answer
  }
  const callProvider = async (
    path: string,
    authorization: string,
    body?: string | URLSearchParams,
  ) => {
    const json = typeof body === 'string' ? { 'content-type': 'application/json' } : {}
    const answer = await fetch(`${url}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body }),
      headers: { authorization, ...json },
    })
    if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const pay = async (order: Order, body: object = {}) => {
    const { session_id, payment_intent_id, invoice_id } = order.payment_method_data ?? {}
    if (invoice_id) await atProvider(`/invoices/${invoice_id}/pay`, body)
    else if (session_id) await atProvider(`/sessions/${session_id}/pay`, body)
    else await atProvider(`/intents/${payment_intent_id}/pay`, body)
  }
  /** Waits until providers sent this many events about an order, and all are processed. */
  const waitForEvents = async (order_id: string, count: number) => {
    await waitUntil(async () => {
      const events = await service.db
        .selectFrom('payment_events as event')
        .innerJoin('payment_attempts as attempt', 'attempt.id', 'event.attempt_id')
        .select('event_id')
        .where('order_id', '=', order_id)
        .execute()
      return events.length >= count || `Providers told ${events.length} things so far`
    })
    return service.settle()
  }

  return {
    ...service,
    sandboxUrl: url,
    secrets: { card: card.webhookSecret, crypto: crypto.webhookSecret },
    atProvider,
    /** Pays the requested amount as the buyer. */
    pay,
    /** Pays without a webhook. */
    async payUnheard(order: Order) {
      // A session sends no event before the payment; the others report their creation.
      if (!order.payment_method_data?.session_id) await waitForEvents(order.id, 1)
      await atProvider('/webhooks', { off: true })
      await pay(order)
      await atProvider('/webhooks', { off: false })
    },
    /** Calls the card provider's API as its customer. */
    cards: <Shape>(path: string, form?: Record<string, string>): Promise<Shape> =>
      callProvider(`/v1${path}`, `Bearer ${card.secretKey}`, form && new URLSearchParams(form)),
    /** Calls the crypto provider's API as its customer. */
    coins: <Shape>(path: string, body?: object): Promise<Shape> =>
      callProvider(`/api/v1${path}`, `token ${crypto.apiKey}`, body && JSON.stringify(body)),
    /** Runs a scheduled job now, and its follow-up jobs. */
    async run(task: string) {
      await addJob(service.db, task)
      await service.settle()
    },
    waitForEvents,
    /** The refunds of an order besides its price, claimed or not. */
    async miscSentOf(order_id: string): Promise<number> {
      const refunds = await service.db
        .selectFrom('refunds')
        .select('amount_in_cents')
        .where('order_id', '=', order_id)
        .where('kind', '=', 'misc_refund')
        .where('status', '=', 'done')
        .execute()
      return refunds.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0)
    },
    /** The ledger entries of an order. */
    ledgerOf: (order_id: string) =>
      service.db
        .selectFrom('ledger_entries')
        .select(['kind', 'amount_in_cents', 'provider', 'reference'])
        .where('order_id', '=', order_id)
        .orderBy('id')
        .execute(),
    /** The owner of an id. */
    async ownerOf(emoji_id: string) {
      const ownerRow = await service.db
        .selectFrom('emoji_ids')
        .innerJoin('keys', 'keys.pubkey', 'emoji_ids.pubkey')
        .select('keys.user_id')
        .where('emoji_id', '=', emoji_id)
        .executeTakeFirst()
      return ownerRow?.user_id
    },
    /** The email to a user with these words in its subject, once it arrives. */
    async mailAbout(address: string, words: string) {
      for (let count = 1; ; count++) {
        await service.mailTo(address, count)
        const mail = service.mailsTo(address).find(({ subject }) => subject?.includes(words))
        if (mail) return mail
      }
    },
    async closeProviders() {
      await sandbox.close()
      place = await keepPort(port)
    },
    async openProviders() {
      sandbox = await open()
    },
    async close() {
      await service.close()
      await sandbox.close()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** A user who may buy, without a welcome mail. */
export async function buyer(service: TestService, { password = null as string | null } = {}) {
  const person = await newcomer(service, { password, isVerified: true })
  return { ...person, ...createShopper(service, person) }
}

/** An operator takes the money for an order without a provider. */
export async function payWithCash(
  operator: Pick<Person, 'post'>,
  { id, total_in_cents }: Order,
  amount = total_in_cents,
): Promise<Order> {
  const cash = { method: 'Cash', amount, external_reference: `till ${id}` }
  return (await operator.post(`/api/cart/checkout/${id}`, cash)).json<Order>()
}

/** The same buyer after the access token expired. */
export async function returningBuyer(service: TestService, before: Buyer): Promise<Buyer> {
  const { tokens, get, post, patch, put, delete: remove } = await logIn(service, before)
  const { id, email, password } = before
  const person = { id, email, password, tokens, get, post, patch, put, delete: remove }
  return { ...person, ...createShopper(service, person) }
}

function createShopper({ db }: TestService, person: Person) {
  const cart = async (path: string, body?: unknown) => {
    const answer = await person.post(`/api/cart${path}`, body)
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body}`)
    return answer.json<Order>()
  }
  return {
    /** Adds ids to the cart. */
    add: (...ids: string[]) => cart('', { items: ids.map((emoji_id) => ({ emoji_id })) }),
    checkout: (method: string, more: object = {}) => cart('/checkout', { method, ...more }),
    promo: (code: string) => cart('/promo_code', { code }),
    cart: async () => (await person.get('/api/cart')).json<Order>(),
    order: async (id: string) => (await person.get(`/api/orders/${id}`)).json<Order>(),
    orders: async (query = '') =>
      (await person.get(`/api/orders?${query}`)).json<{ data: Order[] }>().data,
    /** The order once it is in this state. Reads the database: the API costs ten times as much. */
    async until(id: string, status: Order['status']): Promise<Order> {
      await waitUntil(async () => {
        const orderRow = await db
          .selectFrom('orders')
          .select('status')
          .where('id', '=', id)
          .executeTakeFirst()
        return orderRow?.status === status || `The order is ${orderRow?.status}, not ${status}`
      })
      return (await person.get(`/api/orders/${id}`)).json<Order>()
    },
    /** A cart with new ids that waits for its payment. */
    async pending(method = 'CardCheckout', ids = [newId()]) {
      await cart('', { items: ids.map((emoji_id) => ({ emoji_id })) })
      return cart('/checkout', { method })
    },
  }
}

/** Reserves the port without answering connections. */
async function keepPort(number: number) {
  const server = createServer((socket) => socket.destroy())
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(number, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return { port, leave: () => new Promise((resolve) => server.close(resolve)) }
}
