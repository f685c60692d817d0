import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  fakeService,
  json,
  lookupBody,
  loseConnection,
  record,
  thrownBy,
} from '../../test/support.ts'
import { createClient } from '../client.ts'
import { InvalidRequestError, NetworkError, UnexpectedAnswerError } from '../errors.ts'
import { createConnection } from './connection.ts'

const busy = (after = '0') =>
  json({ error: 'Busy.', code: 'overloaded' }, { status: 503, headers: { 'retry-after': after } })
const flaky = (faults: (() => Response | Promise<Response>)[]) =>
  fakeService((_asked, place) => faults[place]?.() ?? json(lookupBody('🔥')))

/**
 * No other timer is this long: services that other test files left running in this process go on.
 */
const retryAfterSeconds = 17
const isPause = (ms: number) => Math.floor(ms / 1_000) === retryAfterSeconds
/** Replaces the pause before a repeated attempt. */
function insteadOfPauses(pause: (goOn: () => void) => void) {
  const real = globalThis.setTimeout
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((
    work: () => void,
    ms = 0,
    ...args: unknown[]
  ) => {
    if (!isPause(ms)) return real(work, ms, ...args)
    pause(work)
    return real(() => {}, 0)
  }) as typeof setTimeout)
}
afterEach(() => void vi.restoreAllMocks())

describe('a network failure', () => {
  it('a network failure is retried if the request is safe', async () => {
    const { api, fetch, requests } = flaky([loseConnection, busy, () => busy()])
    expect((await createClient({ api, fetch }).lookup('🔥')).views).toBe(3)
    expect(requests).toHaveLength(4)
  })

  it('a network failure is reported after the last attempt', async () => {
    const { api, fetch, requests } = flaky([loseConnection, loseConnection, loseConnection])
    const error = await thrownBy(createClient({ api, fetch, retries: 1 }).lookup('🔥'))
    expect(error).toBeInstanceOf(NetworkError)
    expect(requests).toHaveLength(2)
  })

  it('waits for Retry-After, up to a limit', async () => {
    const { api, fetch, requests } = flaky([
      () => busy(String(retryAfterSeconds)),
      () => busy('3600'),
    ])
    let pauses = 0
    insteadOfPauses((goOn) => {
      pauses++
      goOn()
    })
    const error = await thrownBy(createClient({ api, fetch }).lookup('🔥'))
    expect(error).toMatchObject({ code: 'refused', status: 503, retryAfterMs: 3_600_000 })
    expect([requests.length, pauses]).toEqual([2, 1])
  })

  it('a network failure is retried with the same idempotency key', async () => {
    const { api, fetch, requests } = flaky([loseConnection, busy])
    const client = createClient({ api, fetch, apiKey: 'key' })
    await client.api.cart.addCartItems({ body: { items: [{ emoji_id: '🔥' }] } })
    await client.api.cart.addCartItems({ body: { items: [{ emoji_id: '🔥' }] } })
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
    expect(new Set(keys.slice(0, 3)).size).toBe(1)
    expect(new Set(keys).size).toBe(2)
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  })

  it('a network failure is not retried without idempotency support', async () => {
    const { api, fetch, requests } = flaky([loseConnection])
    const client = createClient({ api, fetch, apiKey: 'key' })
    const edit = client.api.ownIds.editEmojiId({ path: { emoji_id: '🔥' }, body: {} })
    expect(await thrownBy(edit)).toBeInstanceOf(NetworkError)
    expect(requests).toHaveLength(1)
    expect(requests[0]?.headers.has('idempotency-key')).toBe(false)
  })
})

describe('a request', () => {
  it('makes the cache of the browser ask again for every read, and leaves writes alone', async () => {
    const { api, fetch, requests } = fakeService(() => json({ ...lookupBody('🔥'), data: [] }))
    const client = createClient({ api, fetch, apiKey: 'key' })
    await client.lookup('🔥')
    await client.api.cart.addCartItems({ body: { items: [{ emoji_id: '🔥' }] } })
    expect(requests.map(({ method, cache }) => [method, cache])).toEqual([
      ['GET', 'no-cache'],
      ['POST', undefined],
    ])
  })

  it('a request leaves members of the query out that are undefined or null, and no others', async () => {
    const { api, fetch, requests } = fakeService(() => json({}))
    const { ask } = createConnection({ api, fetch })
    const query = { a: undefined, b: null, c: '', d: 0, e: false, f: ['x', 'y'] }
    await ask({ method: 'GET', path: '/x', access: 'public', repeatable: true, query })
    await ask({
      method: 'GET',
      path: '/x',
      access: 'public',
      repeatable: true,
      query: { a: undefined },
    })
    expect(requests.map(({ url }) => url.slice(api.length))).toEqual([
      '/x?c=&d=0&e=false&f=x%2Cy',
      '/x',
    ])
  })
})

describe('a stream', () => {
  const event = 'id: 1\ndata: {}\n\n'
  const opened = (response: Response) => {
    const { api, fetch } = fakeService(() => response)
    const { signal } = new AbortController()
    return createConnection({ api, fetch }).openStream({ path: '/events', query: {}, signal })
  }
  const ofType = (type: string) => ({ headers: { 'content-type': type } })

  it('a stream is read from a response of its type', async () => {
    const body = await opened(new Response(event, ofType('text/event-stream; charset=utf-8')))
    expect(await new Response(body).text()).toBe(event)
  })

  it.each([
    ['another type', new Response(event, ofType('text/html'))],
    ['no type', new Response(new TextEncoder().encode(event))],
    ['no body', new Response(null, ofType('text/event-stream'))],
  ])('a stream is refused with %s', async (_what, response) => {
    const error = await thrownBy(opened(response))
    expect(error).toBeInstanceOf(NetworkError)
    expect(error).toMatchObject({ message: 'directory.example sends no stream.' })
  })
})

describe('time', () => {
  const silent = () =>
    fakeService(
      ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        }),
    )

  it('applies to a server that does not respond', async () => {
    const { api, fetch, requests } = silent()
    const client = createClient({ api, fetch, timeoutMs: 20, retries: 1 })
    expect(await thrownBy(client.lookup('🔥'))).toMatchObject({ code: 'network', isTimeout: true })
    expect(requests).toHaveLength(2)
  })

  it('applies in the middle of a response', async () => {
    const endless = new ReadableStream({ pull: () => new Promise(() => {}) })
    const { api, fetch } = fakeService(({ signal }) => {
      const body = endless.pipeThrough(new TransformStream(), { signal })
      return new Response(body)
    })
    const client = createClient({ api, fetch, timeoutMs: 20, retries: 0 })
    expect(await thrownBy(client.lookup('🔥'))).toMatchObject({ isTimeout: true })
  })

  it("rejects promptly with the caller's reason", async () => {
    const reason = new Error('changed my mind')
    const { api, fetch, requests } = silent()
    const controller = new AbortController()
    const call = thrownBy(createClient({ api, fetch }).lookup('🔥', { signal: controller.signal }))
    controller.abort(reason)
    expect(await call).toBe(reason)
    const late = createClient({ api, fetch }).pay('🔥', {
      ticker: 'BTC',
      signal: controller.signal,
    })
    expect(await thrownBy(late)).toBe(reason)
    expect(requests).toHaveLength(1)
  })

  it('time also interrupts the pause between two attempts', async () => {
    const { api, fetch, requests } = flaky([() => busy(String(retryAfterSeconds))])
    const reason = new Error('changed my mind')
    const controller = new AbortController()
    // The pause has started, and never ends.
    insteadOfPauses(() => setImmediate(() => controller.abort(reason)))
    const { signal } = controller
    const error = await thrownBy(createClient({ api, fetch }).lookup('🔥', { signal }))
    expect(error).toBe(reason)
    expect(requests).toHaveLength(1)
  })
})

describe('cached responses', () => {
  /** Answers 304 to the current ETag. */
  function taggedService() {
    let version = 1
    const service = fakeService(({ url, headers }) => {
      const etag = `"${version}"`
      if (headers.get('if-none-match') === etag) return new Response(null, { status: 304 })
      const id = decodeURIComponent(url.split('/').at(-1) ?? '')
      const records = [record('0x0002', String(version))]
      return json(lookupBody(id, records), { headers: { etag } })
    })
    return { ...service, change: () => version++ }
  }
  const dataOf = (lookup: { records: { data: string }[] }) => lookup.records[0]?.data

  it('cached responses are used only after revalidation', async () => {
    const { api, fetch, requests, change } = taggedService()
    const client = createClient({ api, fetch })
    const first = await client.lookup('🔥')
    first.records.length = 0
    expect(dataOf(await client.lookup('🔥'))).toBe('1')
    change()
    expect(dataOf(await client.lookup('🔥'))).toBe('2')
    expect(dataOf(await client.lookup('🔥'))).toBe('2')
    expect(requests.map(({ headers }) => headers.get('if-none-match'))).toEqual([
      null,
      '"1"',
      '"1"',
      '"2"',
    ])
  })

  it('cached responses are bounded by least recently used eviction', async () => {
    const { api, fetch, requests } = taggedService()
    const client = createClient({ api, fetch, keptAnswers: 2 })
    for (const id of ['🔥', '🐍', '🔥', '👑', '🔥', '🐍']) await client.lookup(id)
    const conditionals = requests.map(({ headers }) => headers.has('if-none-match'))
    expect(conditionals).toEqual([false, false, true, false, true, false])
  })

  it('cached responses are not invented for an unexpected 304', async () => {
    const { api, fetch } = fakeService(() => new Response(null, { status: 304 }))
    const error = await thrownBy(createClient({ api, fetch }).lookup('🔥'))
    expect(error).toBeInstanceOf(UnexpectedAnswerError)
  })
})

describe('the address of the API', () => {
  it.each([
    'directory.example',
    'ftp://directory.example',
    'http://directory.example/api',
    'http://localhost.evil.example/api',
    'https://user:pass@directory.example/api',
    'https://directory.example/api?x=1',
    'https://:pass@directory.example/api',
    'https://user:pass@directory.example:x/api',
  ])('%s is refused without showing a password', (api) => {
    expect(() => createClient({ api })).toThrow(InvalidRequestError)
    expect(() => createClient({ api })).not.toThrow(/pass@/)
  })

  it.each([
    'http://localhost:3000/api',
    'http://127.0.0.1/api',
    'http://[::1]:1/api',
    'https://a.example',
  ])('%s is accepted', (api) => expect(() => createClient({ api })).not.toThrow())

  it('the address of the API may be plain http if allowed, and may end in slashes', async () => {
    const { fetch, requests } = fakeService(() => json(lookupBody('🔥')))
    const api = 'http://10.0.0.7/api//'
    await createClient({ api, fetch, allowHttp: true }).lookup('🔥')
    expect(requests[0]?.url).toBe('http://10.0.0.7/api/emoji_id/%F0%9F%94%A5')
  })
})
