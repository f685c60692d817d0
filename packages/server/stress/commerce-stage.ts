import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cheapId } from '../../../benchmarks/directory.ts'
import type { DisplayOrder } from '../src/features/shop/orders/orders.ts'
import { claimsOf, newEmail, type Tokens } from '../test/support/people.ts'
import { freePort } from '../test/support/process.ts'
import { type Answer, admin, inParallel, onStage, type Stage } from './account-stage.ts'

export type Order = DisplayOrder
/** The calls that a shop makes on its stage. */
export type ShopStage = Pick<Stage, 'call' | 'post' | 'patiently' | 'query'>
export type Secrets = Record<
  'card_key' | 'card_webhooks' | 'crypto_key' | 'crypto_webhooks',
  string
>
export type Shop = Awaited<ReturnType<typeof openShop<Stage>>>
/** A shop on any stage, such as one with several processes. */
export type AnyShop = Awaited<ReturnType<typeof openShop<ShopStage>>>
export type Person = ReturnType<typeof createPerson>
/** A response: an order, or the refusal code. */
export type OrderResponse = { status: number; code: string; body: Order }
type Code = { id: string; redemption_code: string }
type RequestOptions = { key?: string; dropAfterMs?: number }

/** No response arrived: the outcome is unknown. */
export class ConnectionLost extends Error {}

const refreshAfterMs = 10 * 60_000
const registeredAtOnce = 8

/** Runs against the built service with sandbox payment providers. */
export async function inShop<Result>(
  play: (shop: Shop) => Promise<Result>,
  settings: Record<string, string> = {},
): Promise<Result> {
  const port = await freePort()
  const env = {
    SEED_DEMO: 'false',
    SANDBOX_PAYMENTS: 'true',
    SANDBOX_PORT: String(port),
    ...settings,
  }
  return onStage(async (stage) => {
    const secret = (name: string) =>
      readFile(join(stage.dataDir, 'secrets', `sandbox-${name}`), 'utf8')
    const secrets = {
      card_key: `sk_test_${await secret('card-key')}`,
      card_webhooks: `whsec_${await secret('card-webhooks')}`,
      crypto_key: await secret('crypto-key'),
      crypto_webhooks: await secret('crypto-webhooks'),
    }
    return play(await openShop(stage, port, secrets))
  }, env)
}

export async function openShop<Base extends ShopStage>(
  stage: Base,
  sandboxPort: number,
  secrets: Secrets,
) {
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`
  const logIn = () => stage.post('/api/auth/token', admin)
  const entryAnswer = await logIn()
  if (entryAnswer?.status !== 200) throw new Error(`The admin cannot log in: ${entryAnswer?.text}`)
  // Many operator actions need a recent login.
  const operator = createPerson(stage, admin.email, JSON.parse(entryAnswer.text), logIn)
  let ids = 0
  let codes = 0

  /** A buyer with a confirmed address. */
  const register = async (): Promise<Person> => {
    const email = newEmail()
    const { status, text } = await operator.insist('POST', '/users', { email, activate: true })
    if (status !== 200) throw new Error(`Could not register: ${text}`)
    return createPerson(stage, email, JSON.parse(text))
  }

  return {
    ...stage,
    operator,
    register,
    sandboxUrl,
    secrets,

    /** An unused id. */
    newId: (): string => cheapId(ids++),

    async registerMany(count: number): Promise<Person[]> {
      const people: Person[] = []
      const places = Array.from({ length: count }, (_, n) => n)
      await inParallel(places, registeredAtOnce, async () => people.push(await register()))
      return people
    },

    async makeCode(terms: object): Promise<Code> {
      const { status, text } = await operator.insist('POST', '/admin/codes', {
        name: 'Stress',
        code_type: 'Discount',
        activator: 'RedemptionCode',
        redemption_code: `STRESS-${codes++}`,
        ...terms,
      })
      if (status !== 200) throw new Error(`Could not make a code: ${text}`)
      return JSON.parse(text)
    },

    /** Actions of buyers at the providers. Returns `undefined` without a response. */
    async atProvider(path: string, body: object = {}): Promise<number | undefined> {
      try {
        const answer = await fetch(`${sandboxUrl}/sandbox${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(10_000),
        })
        await answer.body?.cancel()
        return answer.status
      } catch {
        return undefined
      }
    },

    /** Calls a provider's API as its shop. */
    async statementOf(path: string, authorization: string): Promise<unknown> {
      const answer = await fetch(`${sandboxUrl}${path}`, { headers: { authorization } })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
      return answer.json()
    },
  }
}

type Renew = (tokens: Tokens) => Promise<Answer | undefined>

function createPerson(stage: ShopStage, email: string, first: Tokens, renew?: Renew) {
  let current = Promise.resolve(first)
  let since = Date.now()
  const askAnew: Renew =
    renew ?? (({ refresh_token }) => stage.post('/api/auth/token/refresh', { refresh_token }))
  const refresh = async (tokens: Tokens): Promise<Tokens> => {
    const answer = await stage.patiently(() => askAnew(tokens))
    if (!answer) throw new ConnectionLost('A refresh was not answered')
    if (answer.status !== 200) throw new Error(`A session ended: ${answer.text}`)
    return JSON.parse(answer.text)
  }
  const token = async (): Promise<string> => {
    if (Date.now() - since > refreshAfterMs) {
      const before = await current
      since = Date.now()
      current = refresh(before)
      // A retry with the same token returns the same response.
      current.catch(() => {
        since = 0
        current = Promise.resolve(before)
      })
    }
    return (await current).access_token
  }
  /** Sends once. Returns `undefined` without a response. */
  const send = async (method: string, path: string, body?: unknown, more: RequestOptions = {}) =>
    stage.call(method, `/api${path}`, {
      token: await token(),
      body,
      headers: more.key ? { 'idempotency-key': more.key } : {},
      ...(more.dropAfterMs === undefined ? {} : { dropAfterMs: more.dropAfterMs }),
    })
  /** Retries while the service is overloaded. */
  const insist = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const answer = await stage.patiently(() => send(method, path, body))
    if (!answer) throw new ConnectionLost(`${method} ${path} was not answered`)
    return answer
  }
  const ask = async (method: string, path: string, body?: unknown) =>
    readOrderResponse(await insist(method, path, body))

  return {
    id: claimsOf(first.access_token)['sub'] ?? '',
    email,
    send,
    insist,
    ask,
    add: (...ids: string[]) =>
      ask('POST', '/cart', { items: ids.map((emoji_id) => ({ emoji_id })) }),
    checkout: (method: string, more: object = {}, order_id?: string) =>
      ask('POST', order_id ? `/cart/checkout/${order_id}` : '/cart/checkout', { method, ...more }),
    promo: (code: string) => ask('POST', '/cart/promo_code', { code }),
    cart: () => ask('GET', '/cart'),
    clear: () => ask('DELETE', '/cart'),
    order: (id: string) => ask('GET', `/orders/${id}`),
  }
}

export function readOrderResponse({ status, text }: Answer): OrderResponse {
  const body = JSON.parse(text)
  return { status, code: body.code ?? '', body }
}

/** The payment target of the order. */
export function payAddress({ payment_method_data }: Order): string {
  const { session_id, payment_intent_id, invoice_id } = payment_method_data ?? {}
  if (invoice_id) return `/invoices/${invoice_id}/pay`
  return session_id ? `/sessions/${session_id}/pay` : `/intents/${payment_intent_id}/pay`
}

/** Counts responses by kind. */
export function tally(answers: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1
  return counts
}

export function shuffle<Item>(items: readonly Item[]): Item[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}

const patienceMs = 20_000
const lookEveryMs = 50

/** Waits until the condition holds. Returns whether it did. */
export async function waitUntilTrue(isTrue: () => boolean | Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(lookEveryMs)) {
    if (await isTrue()) return true
  }
  return false
}
