import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startSandbox } from '@emojid/sandbox'
import type { DisplayOrder } from '../../src/features/orders/index.ts'
import { newId } from './ids.ts'
import { mailedService, type Person, register } from './people.ts'
import type { TestService } from './service.ts'

export type Order = DisplayOrder

const card = { secretKey: 'sk_test_shop', webhookSecret: 'whsec_shop' }
const crypto = { apiKey: 'key', storeId: 'store', webhookSecret: 'secret' }

/** The whole service with its worker, a mail server, and the sandbox as its payment providers. */
export async function shopService(env: Record<string, string> = {}) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const service = await mailedService({
    env: {
      ...{ STRIPE_SECRET_KEY: card.secretKey, STRIPE_WEBHOOK_SECRET: card.webhookSecret },
      ...{ STRIPE_API_URL: url, BTCPAY_URL: url, BTCPAY_API_KEY: crypto.apiKey },
      ...{ BTCPAY_STORE_ID: crypto.storeId, BTCPAY_WEBHOOK_SECRET: crypto.webhookSecret },
      ...env,
    },
  })
  const dataDir = await mkdtemp(join(tmpdir(), 'emojid-shop-'))
  const hooks = `${service.address}/api/webhooks`
  const open = () =>
    startSandbox({
      ...{ dataDir, port },
      card: { ...card, webhookUrl: `${hooks}/card` },
      crypto: { ...crypto, webhookUrl: `${hooks}/crypto` },
    })
  let sandbox = await open()
  /** What a person does at a provider. */
  const atProvider = async (path: string, body: object = {}) => {
    const answer = await fetch(`${url}/sandbox${path}`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`The sandbox answered ${answer.status}: ${await answer.text()}`)
    return answer
  }

  return {
    ...service,
    sandboxUrl: url,
    secrets: { card: card.webhookSecret, crypto: crypto.webhookSecret },
    atProvider,
    /** Pays what the order asks for, as its buyer would. */
    async pay(order: Order, body: object = {}) {
      const { session_id, payment_intent_id, invoice_id } = order.payment_method_data ?? {}
      if (invoice_id) await atProvider(`/invoices/${invoice_id}/pay`, body)
      else if (session_id) await atProvider(`/sessions/${session_id}/pay`, body)
      else await atProvider(`/intents/${payment_intent_id}/pay`, body)
    },
    closeProviders: () => sandbox.close(),
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

/** Somebody who may buy. */
export async function buyer(service: TestService) {
  const person = await register(service, { password: null })
  await service.db
    .updateTable('users')
    .set({ email_verified_at: new Date() })
    .where('id', '=', person.id)
    .execute()
  return { ...person, ...shopping(person) }
}

function shopping(person: Person) {
  const cart = async (path: string, body?: unknown) => {
    const answer = await person.post(`/api/cart${path}`, body)
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${answer.body}`)
    return answer.json<Order>()
  }
  return {
    /** Puts ids into the cart. */
    add: (...ids: string[]) => cart('', { items: ids.map((emoji_id) => ({ emoji_id })) }),
    checkout: (method: string, more: object = {}) => cart('/checkout', { method, ...more }),
    promo: (code: string) => cart('/promo_code', { code }),
    order: async (id: string) => (await person.get(`/api/orders/${id}`)).json<Order>(),
    /** The order once it is in this state. */
    async until(id: string, status: Order['status']): Promise<Order> {
      for (let waited = 0; ; waited += 20) {
        const order = (await person.get(`/api/orders/${id}`)).json<Order>()
        if (order.status === status) return order
        if (waited > 15_000) throw new Error(`The order is ${order.status}, not ${status}`)
        await sleep(20)
      }
    },
    /** A cart with ids nobody has, waiting for its payment. */
    async pending(method = 'CardCheckout', ids = [newId()]) {
      await cart('', { items: ids.map((emoji_id) => ({ emoji_id })) })
      return cart('/checkout', { method })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
