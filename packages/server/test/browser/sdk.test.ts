import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, normalize } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser } from '../support/browser.ts'
import { webServer } from '../support/outside.ts'
import { type TestService, testService } from '../support/service.ts'
import { bitcoin, createPayable, ethereum, otherBitcoin, type Payable } from '../support/wallet.ts'

/** A third-party wallet page with the published SDK. */
// A browser cache must not decide where money goes.
const env = { LOOKUP_MAX_AGE: '20' }
let service: TestService
let api: Payable['api']
let newId: Payable['newId']
let setBitcoin: Payable['setBitcoin']
beforeAll(async () => {
  service = await testService({ reachable: true, env })
  ;({ api, newId, setBitcoin } = await createPayable(service))
})
const browser = openBrowser()
const folder = mkdtempSync(join(tmpdir(), 'emojid-page-'))
let wallet: Awaited<ReturnType<typeof webServer>>

beforeAll(async () => {
  const packing = new URL('../../../sdk/scripts/pack.mjs', import.meta.url).href
  const { pack } = await import(/* @vite-ignore */ packing)
  await pack(folder)
  wallet = await webServer((request, response) => {
    const path = normalize(request.url ?? '/')
    if (!path.endsWith('.js')) {
      return response.setHeader('content-type', 'text/html; charset=utf-8').end(html)
    }
    const script = path === '/wallet.js' ? program : readFileSync(join(folder, path))
    return response.setHeader('content-type', 'text/javascript; charset=utf-8').end(script)
  })
})
afterAll(async () => {
  await wallet.close()
  await service.close()
  rmSync(folder, { recursive: true })
})

const html =
  '<!doctype html><title>Wallet</title><link rel="icon" href="data:,"><script type="module" src="/wallet.js"></script>'

/** The output of the wallet's bundler. */
const program = `
import { createClient, parseTypedId } from '/index.js'
import { createAddressBook, webStorage } from '/address-book.js'
import { createLookup } from '/lookup.js'
import { verifyProof } from '/verify.js'

globalThis.wallet = {
  async pay({ api, id }) {
    const client = createClient({ api, verify: verifyProof })
    const book = createAddressBook({ client, storage: webStorage(localStorage) })
    const plain = createClient({ api })
    const [known] = await book.entries()
    const payment = known ? undefined : await plain.pay(id, { ticker: 'BTC', amount: '0.1' })
    const entry = known ?? (await book.remember(payment))
    return {
      uri: payment?.uri,
      check: await book.check(entry),
      wrong: await plain.lookup('🔥🈵').catch((error) => ({ ...error })),
      many: (await plain.lookupMany([id, 'x'])).map(({ status }) => status),
      token: (await client.pay(id, { token: 'USDC', network: 'ETH' })).address,
      again: (await plain.lookup(id)).records.length,
      unproven: (await plain.pay(id, { ticker: 'BTC' })).address,
      typed: parseTypedId('fire.snake'),
    }
  },
  failures({ api, id }) {
    const away = createLookup({ api: api.replace(/:\\d+/, ':1'), retries: 0 })
    const lookups = [away.lookup(id), createLookup({ api }).lookup('🐙🦀🐙🦀🐙🦀')]
    return Promise.all(lookups.map((one) => one.catch(({ code }) => code)))
  },
  async watch({ api, id }) {
    const client = createClient({ api })
    const seen = []
    const watching = client.watch([id], (change) => seen.push(change.type))
    await watching.ready
    globalThis.seen = seen
    globalThis.watching = watching
  },
  /** A page without the SDK. */
  listen({ api, id }) {
    globalThis.heard = []
    const source = new EventSource(api + '/events?types=emoji_id.records_changed')
    source.onmessage = ({ data, lastEventId }) => {
      const event = JSON.parse(data)
      if (event.data.emoji_id === id) globalThis.heard.push([event.data.version, lastEventId])
    }
    return new Promise((resolve) => (source.onopen = resolve))
  },
  closed({ api, id }) {
    const client = createClient({ api, retries: 0 })
    const calls = [client.search(id), client.api.sessions.login({ body: {} })]
    return Promise.all(calls.map((one) => one.catch(({ code, message }) => [code, message])))
  },
}
`
type Wish = { api: string; id: string }
type Wallet = Record<
  'pay' | 'failures' | 'closed' | 'watch' | 'listen',
  (wish: Wish) => Promise<unknown>
>

async function openWallet() {
  const page = await browser.newPage()
  await page.goto(`${wallet.address}/`)
  const run = (name: keyof Wallet, wish: Wish): Promise<unknown> =>
    page.evaluate(
      (request) => (globalThis as unknown as { wallet: Wallet }).wallet[request.name](request.wish),
      { name, wish },
    )
  return { page, run }
}

it('the SDK pays, proves and notices a change from a page of another origin', async () => {
  const id = await newId()
  const { page, run } = await openWallet()
  expect(await run('pay', { api, id })).toMatchObject({
    uri: `bitcoin:${bitcoin}?amount=0.1`,
    token: ethereum,
    again: 2,
    typed: '🔥🐍',
    check: { status: 'unchanged' },
    many: ['found', 'invalid'],
    unproven: bitcoin,
    wrong: { code: 'invalid_id', emoji: '🈵', place: 2 },
  })
  await setBitcoin(id, otherBitcoin)
  // Another visit reads the entry from the browser storage.
  await page.reload()
  expect(await run('pay', { api, id })).toMatchObject({
    check: {
      status: 'changed',
      entry: { address: bitcoin },
      payment: { address: otherBitcoin },
    },
    unproven: otherBitcoin,
  })
  expect(page.problems).toEqual([])
})

it('the SDK allows caching of a lookup, but not of a proof', async () => {
  const id = await newId()
  const mayKeep = async (path: string) => {
    const answer = await fetch(`${api}/emoji_id/${encodeURIComponent(id)}${path}`)
    return answer.headers.get('cache-control')
  }
  expect(await mayKeep('')).toBe('public, max-age=20')
  expect(await mayKeep('/proof')).toBe('public, no-cache')
})

/** A variable of the page. */
const shown = (page: Awaited<ReturnType<typeof openWallet>>['page'], name: string) =>
  page.evaluate((key) => (globalThis as unknown as Record<string, unknown[]>)[key] ?? [], name)

it('the SDK and the EventSource of a browser resume after a lost connection; other failures are explained', async () => {
  const id = await newId()
  const { page, run } = await openWallet()
  expect(await run('failures', { api, id })).toEqual(['network', 'unregistered'])
  const explanation = ['network', expect.stringContaining('another origin')]
  expect(await run('closed', { api, id })).toEqual([explanation, explanation])

  await run('watch', { api, id })
  await run('listen', { api, id })
  await setBitcoin(id, otherBitcoin)
  await expect.poll(() => shown(page, 'seen')).toHaveLength(1)
  await expect.poll(() => shown(page, 'heard')).toHaveLength(1)
  await page.context().setOffline(true)
  await setBitcoin(id, bitcoin)
  await page.context().setOffline(false)
  await setBitcoin(id, otherBitcoin)
  await expect.poll(() => shown(page, 'seen')).toEqual(Array(3).fill('emoji_id.records_changed'))
  await expect.poll(() => shown(page, 'heard')).toHaveLength(3)
  const versions = (await shown(page, 'heard')).map((one) => (one as [number, string])[0])
  expect(versions).toEqual(versions.toSorted((a, b) => a - b))
})
