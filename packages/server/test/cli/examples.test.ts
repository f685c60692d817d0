import { writeFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addJob } from '../../src/platform/jobs/jobs.ts'
import { type Machine, machine } from '../support/cli.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { at, grant, newId } from '../support/ids.ts'
import { insertPaidOrder } from '../support/paid-orders.ts'
import { goodPassword, newcomer, type Person, register } from '../support/people.ts'
import { buyer, type ShopService, shopService } from '../support/shop.ts'
import { transferSteps } from '../support/transfers.ts'
import { bitcoin, ethereum } from '../support/wallet.ts'

/** Every example of the help, exactly as printed. */
let shop: ShopService
let type: Machine['type']
let path: Machine['path']
let remove: Machine['remove']
let empty: TestDatabase
afterAll(async () => {
  await shop.close()
  await empty?.drop()
  remove()
})

const signUp = async (email: string, role: 'User' | 'Admin') => {
  const person = await register(shop, { email, password: goodPassword })
  const change = { role, email_verified_at: new Date() }
  await shop.db.updateTable('users').set(change).where('id', '=', person.id).execute()
  return person
}
let anna: Person
let bert: Person

beforeAll(async () => {
  shop = await shopService({ SEED_DEMO: 'false' }, { reachable: true })
  ;({ type, path, remove } = machine(`${shop.address}/api`))
  ;[anna, bert] = [
    await signUp('anna@example.com', 'Admin'),
    await signUp('bert@example.com', 'User'),
  ]
  await grant(anna, { user_id: anna.id }, '🔥🐍')
  await grant(anna, { user_id: anna.id }, '🦀🐙🍕')
  const insert = [
    { tag: '0x1003', data: bitcoin },
    { tag: '0x1004', data: ethereum },
    { tag: '0x6300', data: `USDC|USD Coin|ETH|${ethereum}||` },
  ]
  expect((await anna.patch(at('🔥🐍'), { insert })).status).toBe(200)
  writeFileSync(path('ids.csv'), `emoji_id,email,0x1003\n🍕🍕🍕🍕,bert@example.com,${bitcoin}\n`)
  writeFileSync(
    path('ids.jsonl'),
    `{"emoji_id":"👑🌴🎸","email":"bert@example.com","records":[]}\n`,
  )
  empty = await testDatabase('empty')
})

const ask = async <Shape>(...args: string[]) => (await type(args)).lines<Shape>()
/** An action of a user, and the code emailed for it. */
const withCode = async <Done>(to: Person, work: () => Promise<Done>) => {
  const { codesTo, codeTo } = transferSteps(shop, anna)
  // Emails of earlier examples may still arrive.
  await shop.settle()
  const before = codesTo(to.email).length
  const result = await work()
  return { done: result, code: await codeTo(to, before + 1) }
}
const offerId = async (by: Person, id: string, email: string) => {
  await grant(anna, { user_id: by.id }, id)
  return (await by.post('/api/transfers', { eid: id, email })).json<{ id: string }>().id
}
type IdentifiedObject = {
  id: string
  eid?: string
  client_id?: string
  secrets?: IdentifiedObject[]
}
const clientId = async () =>
  (await ask<IdentifiedObject>('oauth-client', 'list'))[0]?.client_id ?? ''

let latestWebhook = ''
/** An endpoint with a delivery. */
async function newWebhook(): Promise<string> {
  const url = 'http://127.0.0.1:9/'
  latestWebhook = (await anna.post('/api/webhook_endpoints', { url })).json<IdentifiedObject>().id
  await anna.post(`/api/webhook_endpoints/${latestWebhook}/test`)
  return latestWebhook
}

/** Values for the variables of an example. */
const variables: Record<string, () => Promise<string>> = {
  CURSOR: async () =>
    (await shop.get('/api/events')).json<{ next: string }>().next.replace(/-\d+$/, '-0'),
  RECEIVER: async () => 'http://127.0.0.1:9/hook',
  WEBHOOK: newWebhook,
  DELIVERY: async () =>
    (await ask<IdentifiedObject>('webhooks', 'deliveries', latestWebhook))[0]?.id ?? '',
  TRANSFER: async () =>
    (await ask<IdentifiedObject>('transfer', 'list')).find(({ eid }) => eid === '🦀🐙🍕')?.id ?? '',
  SENDER_CODE: () => transferSteps(shop, anna).codeTo(anna),
  INCOMING: async () => {
    const { done: id, code } = await withCode(bert, () => offerId(bert, '🌴🌴🦀🦀', anna.email))
    const confirm = async () =>
      expect((await transferSteps(shop, anna).confirm(bert, { id }, code)).status).toBe(200)
    receivedText = (await withCode(anna, confirm)).code
    return id
  },
  RECEIVER_CODE: async () => receivedText,
  OTHER_TRANSFER: () => offerId(anna, '👑👑🦀🦀', bert.email),
  API_KEY_ID: async () => (await ask<IdentifiedObject>('api-keys'))[0]?.id ?? '',
  ORDER: async () => {
    const person = await newcomer(shop)
    return insertPaidOrder(shop, person.id, [newId()])
  },
  REFUNDED: async () => {
    const person = await buyer(shop)
    const { order_number } = await person.order(await insertPaidOrder(shop, person.id, [newId()]))
    return order_number
  },
  JOB: async () => {
    await addJob(shop.db, 'test.failing')
    const { rows } = await sql<{ id: string }>`
      update graphile_worker._private_jobs set attempts = 25, last_error = 'It broke'
      where task_id = (select id from graphile_worker._private_tasks
        where identifier = 'test.failing')
      returning id`.execute(shop.db)
    return String(rows[0]?.id)
  },
  ORGANIZATION: async () =>
    (await anna.post('/api/admin/organizations', { name: 'Shops' })).json<{ id: string }>().id,
  CLIENT_ID: clientId,
  SECRET_ID: async () =>
    (await ask<IdentifiedObject>('oauth-client', 'show', await clientId()))[0]?.secrets?.[0]?.id ??
    '',
  EMPTY_DATABASE: async () => empty.url,
}
let receivedText = ''

/** Parses a line like a shell: words, quotes, variables, and settings before the command. */
async function runLine(line: string) {
  const words: string[] = []
  for (const [word] of line.matchAll(/(?:[^\s"]|"[^"]*")+/g)) {
    let text = word.replaceAll('"', '')
    for (const [whole, name = ''] of text.matchAll(/\$([A-Z_]+)/g)) {
      const value = variables[name]
      if (!value) throw new Error(`The test does not know ${whole}`)
      text = text.replace(whole, await value())
    }
    words.push(text)
  }
  const env: Record<string, string> = { DATABASE_URL: shop.database?.url ?? '' }
  while (/^[A-Z_]+=/.test(words[0] ?? '')) {
    const [name = '', ...value] = words.shift()?.split('=') ?? []
    env[name] = value.join('=')
  }
  expect(words.shift()).toBe('emojid')
  return type(words, { env, input: [goodPassword] })
}

it('a refund names its order by the whole number or id, not by its buyer', async () => {
  await type(['login', '--email', anna.email], { input: [goodPassword] })
  const person = await newcomer(shop)
  const id = await insertPaidOrder(shop, person.id, [newId()])
  for (const text of [person.email, person.id, '@', id.slice(0, 8)]) {
    const answer = await type(['admin', 'refund', text, '--reason', 'A mistake', '--yes'])
    expect(answer.status, text).not.toBe(0)
    expect(answer.err).toMatch(/Name the order by|No order has the number/)
  }
  const { status } = (await anna.get(`/api/orders/${id}`)).json<{ status: string }>()
  expect(status).toBe('Paid')
})

it('every example of the help works and has its effect', async () => {
  const names = (await type(['help'])).out
    .split('\nCommands:\n')[1]
    ?.split('\n\n')[0]
    ?.split('\n')
    .map((line) => line.trim().split(/\s{2,}/)[0] ?? '')
    .filter((name) => name !== 'help')
  expect(names?.length).toBeGreaterThan(30)
  // Signing out ends the session, so this example comes last.
  const ordered = names?.toSorted((one, other) => placeOf(one) - placeOf(other)) ?? []
  for (const name of ordered) {
    const { out, status } = await type(['help', ...name.split(' ')])
    expect(status, name).toBe(0)
    const examples = [...out.matchAll(/^ {2}\$ (.+)$/gm)].map(([, line = '']) => line)
    expect(examples.length, `examples of ${name}`).toBeGreaterThan(0)
    for (const line of examples) {
      const answer = await runLine(line)
      expect(answer.status, `${line}\n${answer.err}`).toBe(0)
      if (name === 'restore') expect(answer.out).toMatch(keysToCopy)
    }
  }
  await expectEffects()
})

const keysToCopy = /DATA_DIR\/secrets.*MASTER_KEY, SIGNING_KEYS and MINT_SIGNER_KEY/
const placeOf = (name: string) => (name === 'login' ? -1 : name === 'logout' ? 1 : 0)

async function expectEffects() {
  const { result } = (await shop.get(at('🔥🐍'))).json<{ result: { data: string }[] }>()
  expect(result.map(({ data }) => data)).toContain('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa')
  expect(result.map(({ data }) => data)).not.toContain('https://example.com/shop')
  expect(await shop.ownerOf('🍕🍕🍕🍕')).toBe(bert.id)
  expect(await shop.ownerOf('🌴🌴🦀🦀')).toBe(anna.id)
  const events = await shop.db
    .selectFrom('audit_entries')
    .select(['event', sql<string>`details ->> 'reason'`.as('reason')])
    .where('event', 'in', [
      'emoji_id.reserved',
      'emoji_id.suspended',
      'job.retried',
      'order.refunded',
    ])
    .orderBy('event')
    .execute()
  expect(events).toEqual([
    { event: 'emoji_id.reserved', reason: 'For our own games' },
    { event: 'emoji_id.suspended', reason: 'Reported as a scam' },
    { event: 'job.retried', reason: 'The provider is back' },
    { event: 'order.refunded', reason: 'Bought by mistake' },
  ])
  expect((await type(['ids'])).status).toBe(6)
}
