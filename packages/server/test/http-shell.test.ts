import type { Server } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, insertOwnedId } from './support/ids.ts'
import { masterKey } from './support/own-keys.ts'
import { newcomer } from './support/people.ts'
import { releaseHeld, withProbes, withProbesAt } from './support/probe.ts'
import { trackConnections } from './support/raw.ts'
import { stopRefillInTest } from './support/refill.ts'
import { type Answer, type TestService, testService } from './support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await testService({ override: withProbes })
})
afterAll(() => service.close())

const jsonType = { 'content-type': 'application/json' }

/** A request with an endless body. */
const half =
  'POST /api/probe/echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"half'

describe('every response', () => {
  it('echoes a valid X-Request-Id and replaces any other', async () => {
    const echoAnswer = await service.get('/api/emoji', {
      headers: { 'x-request-id': 'wallet-7:abc.1' },
    })
    const replacedAnswer = await service.get('/api/emoji', {
      headers: { 'x-request-id': 'a b"<script>' },
    })

    expect(echoAnswer.headers.get('x-request-id')).toBe('wallet-7:abc.1')
    expect(replacedAnswer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  it.each([
    '/api/emoji',
    '/api/emoji_id/🔥🐍',
    '/api/nothing',
    '/',
    '/nothing',
    '/auth/nothing',
    '/dev',
    '/health/live',
  ])('every response of %s forbids content sniffing and hides the software', async (path) => {
    // A lookup comes from the database first, then from memory.
    for (const { headers } of [await service.get(path), await service.get(path)]) {
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('server')).toBeNull()
      expect(headers.get('x-powered-by')).toBeNull()
    }
  })

  it('every response of the API is JSON in UTF-8, success and refusal alike', async () => {
    for (const path of ['/api/emoji', '/api/nothing', '/api/%ZZ', '/api/probe/broken']) {
      const { headers } = await service.get(path)
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    }
  })
})

describe('an error', () => {
  it('an error has one shape at the API', async () => {
    const { status, ...answer } = await service.get('/api/nothing')

    expect(status).toBe(404)
    expect(answer.json()).toEqual({
      error: 'There is no GET operation at this path.',
      code: 'unknown_path',
      request_id: answer.headers.get('x-request-id'),
    })
  })

  it('an error of the service reveals no internals, and the log has them all', async () => {
    const answer = await service.get('/api/probe/broken')

    expect(answer.status).toBe(500)
    expect(answer.json()).toMatchObject({ code: 'internal' })
    expect(answer.body).not.toMatch(/secret|srv|at |stack/)
    expect(service.logged.join()).toContain('secret detail')
  })

  it('an error is a page at the web sites', async () => {
    for (const path of ['/nothing', '/auth/nothing']) {
      const { status, headers, body } = await service.get(path)
      expect(status).toBe(404)
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(body).toContain('Page not found')
    }
  })

  it('an error with 503 ends a request that hangs, even after its body was read', async () => {
    for (const options of [{}, { headers: jsonType, raw: '{"a":1}' }]) {
      const method = 'raw' in options ? 'POST' : 'GET'
      const { status, headers, json } = await service.call(method, '/api/probe/hang', options)
      expect([status, headers.get('retry-after'), json()['code']]).toEqual([503, '1', 'timeout'])
    }
  })

  it('an error of a hanging request leaves its connection usable', async () => {
    const { hostname, port } = new URL(service.address)
    const socket = connect(Number(port), hostname)
    const hung = `POST /api/probe/hang HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`
    socket.write(`${hung}GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    const answers = (await text(socket)).match(/HTTP\/1.1 \d+/g)
    expect(answers).toEqual(['HTTP/1.1 503', 'HTTP/1.1 200'])
  })
})

describe('a request body', () => {
  it.each([
    { sent: 'nothing', options: {} },
    { sent: 'nothing, called JSON', options: { headers: jsonType } },
    { sent: 'null', options: { headers: jsonType, raw: 'null' } },
    { sent: '{}', options: { headers: jsonType, raw: '{}' } },
    { sent: 'nothing, called a form', options: { headers: { 'content-type': 'text/plain' } } },
  ])('a request body may be $sent where none is required', async ({ options }) => {
    expect((await service.call('POST', '/api/probe/empty', options)).status).toBe(200)
    expect((await service.call('DELETE', '/api/probe/empty', options)).status).toBe(200)
  })

  it('on DELETE is ignored, even if malformed', async () => {
    const options = { headers: jsonType, raw: '{"broken' }
    expect((await service.call('DELETE', '/api/probe/empty', options)).status).toBe(200)
  })

  it('keeps its types: a text is not converted to a number', async () => {
    const answer = await service.post('/api/probe/typed', { amount: '5' })

    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject({
      code: 'invalid_request',
      error: 'amount must be an integer.',
    })
  })

  it('a request body may have optional members as null and unknown members', async () => {
    const answer = await service.post('/api/probe/typed', { amount: null, note: 'x', unknown: 1 })

    expect(answer.status).toBe(200)
    expect(answer.json()).toEqual({ note: 'x', unknown: 1 })
  })

  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  it.each([
    { fault: 'broken JSON', raw: '{"a":' },
    { fault: 'text that is not UTF-8', raw: new Uint8Array([0x22, 0xff, 0x22]) },
    { fault: 'an overlong encoding', raw: new Uint8Array([0x22, 0xc0, 0xaf, 0x22]) },
    { fault: '66 levels', raw: nested(66) },
    { fault: '8,000 levels', raw: nested(8_000) },
    { fault: '3,000 open levels', raw: '{"a":'.repeat(3_000) },
    { fault: '__proto__', raw: '{"__proto__":{"polluted":true}}' },
    { fault: 'constructor.prototype', raw: '{"constructor":{"prototype":{"polluted":true}}}' },
    { fault: 'NUL', raw: String.raw`{"a":"\u0000"}` },
    { fault: 'NUL in a name', raw: String.raw`{"\u0000":1}` },
    { fault: 'half a surrogate pair', raw: String.raw`{"a":"\ud83d"}` },
    { fault: 'a number beyond all numbers', raw: '{"a":1e400}' },
  ])('a request body with $fault is rejected', async ({ raw }) => {
    const { status, json } = await service.call('POST', '/api/probe/echo', {
      headers: jsonType,
      raw,
    })

    expect([status, json()['code']]).toEqual([400, 'invalid_body'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it.each([
    { kind: '65 levels', raw: nested(65) },
    { kind: 'brackets inside a text', raw: JSON.stringify('[{'.repeat(500)) },
    { kind: 'an escaped quote', raw: String.raw`{"a":"\\\"[[["}` },
    { kind: '2,000 members', raw: JSON.stringify(Array(2_000).fill(0)) },
  ])('a request body with $kind is read unchanged', async ({ raw }) => {
    const answer = await service.call('POST', '/api/probe/echo', { headers: jsonType, raw })
    expect(answer.status).toBe(200)
    expect(answer.json()['body']).toEqual(JSON.parse(raw))
  })

  it('over 16 kB is rejected with 413, with or without Content-Length', async () => {
    const raw = JSON.stringify('x'.repeat(16 * 1024))
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(raw))
        controller.close()
      },
    })
    const announcementAnswer = await service.call('POST', '/api/probe/echo', {
      headers: jsonType,
      raw,
    })
    const chunkedAnswer = await fetch(`${service.address}/api/probe/echo`, {
      method: 'POST',
      headers: jsonType,
      body: stream,
      duplex: 'half',
    } as RequestInit)

    expect([announcementAnswer.status, announcementAnswer.json()['code']]).toEqual([
      413,
      'too_large_body',
    ])
    expect(chunkedAnswer.status).toBe(413)
  })

  it('in a format other than plain JSON is rejected', async () => {
    const gzipped = { headers: { ...jsonType, 'content-encoding': 'gzip' }, raw: gzipSync('{}') }
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, raw: 'a=1' }

    const answers = await Promise.all(
      [gzipped, form].map((options) => service.call('POST', '/api/probe/echo', options)),
    )
    expect(answers.map(({ status, json }) => [status, json()['code']])).toEqual([
      [400, 'unsupported_encoding'],
      [400, 'unsupported_media_type'],
    ])
  })
})

describe('an unsupported method', () => {
  it.each([
    ['PUT', '/api/emoji_id/%F0%9F%94%A5', 'DELETE, GET, HEAD, PATCH'],
    ['PUT', '/api/emoji', 'GET, HEAD'],
    ['GET', '/api/auth/token?x=1', 'POST'],
    ['POST', '/api/emoji_id/%F0%9F%94%A5/json', 'GET, HEAD'],
    ['GET', '/api/emoji_id/lookup', 'POST'],
    ['DELETE', '/api/emoji_id/search?x=1', 'GET, HEAD'],
    ['POST', '/api/docs', 'GET, HEAD'],
    ['POST', '/api/docs/', 'GET, HEAD'],
  ])('%s %s gets 405 with Allow', async (method, path, allowed) => {
    const answer = await service.call(method, path)

    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed])
    expect(answer.json()).toMatchObject({ code: 'method_not_allowed' })
  })

  it.each([
    ['POST', '/', 'GET, HEAD'],
    ['PUT', '/account', 'GET, HEAD'],
    ['GET', '/session', 'DELETE, POST'],
    ['PUT', '/session/token', 'POST'],
    ['POST', '/health/live', 'GET, HEAD'],
    ['DELETE', '/health/ready', 'GET, HEAD'],
    ['POST', '/.well-known/oauth-authorization-server/auth', 'GET, HEAD'],
    ['PUT', '/auth/magic_link', 'GET, HEAD, POST'],
    ['GET', '/auth/confirm_email/disown', 'POST'],
    ['POST', '/auth/jwks', 'GET, HEAD'],
    ['POST', '/auth', 'GET, HEAD'],
    ['POST', '/auth/', 'GET, HEAD'],
    ['POST', '/dev', 'GET, HEAD'],
    ['POST', '/dev/?x=1', 'GET, HEAD'],
    ['DELETE', '/auth/art/1f525.svg', 'GET, HEAD'],
    ['POST', '/dev/wallet', 'GET, HEAD'],
  ])('%s %s gets a page with 405 and Allow', async (method, path, allowed) => {
    const { status, headers, body } = await service.call(method, path)

    expect([status, headers.get('allow')]).toEqual([405, allowed])
    expect(body).toContain('<html')
  })

  it('an unsupported method gets 405 also for an over-encoded path', async () => {
    const answer = await service.call('DELETE', '/api/%75sers')
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST'])
  })

  it('an unsupported method gets 404 on an unknown path', async () => {
    for (const path of [
      '/api/nothing/at/all',
      '/nothing',
      '/auth/nothing',
      '/auth/art/x.gif',
      '/auth//',
    ]) {
      const answer = await service.call('DELETE', path)
      expect([answer.status, answer.headers.get('allow')]).toEqual([404, null])
    }
  })
})

describe('a URL', () => {
  it.each([
    '/api/%ZZ',
    '/api/%',
    '/api/%c0%af',
    '/api/%ed%a0%80',
    '/api/emoji?x=%ff',
    '/api/emoji_id/%F0/changes',
    '/api/emoji?x=%00',
    '/api/%00',
  ])('%s that is not percent-encoded UTF-8 is rejected', async (path) => {
    const { status, json } = await service.get(path)
    expect([status, json()['code']]).toEqual([400, 'invalid_address'])
  })
})

describe('pages of other origins', () => {
  const from = (origin: string) => ({ headers: { origin } })

  it('pages of other origins can read only public data', async () => {
    const open = await service.get('/api/emoji', from('https://wallet.example'))
    const closedAnswer = await service.get('/api/probe/private', from('https://wallet.example'))

    expect(open.headers.get('access-control-allow-origin')).toBe('*')
    expect(closedAnswer.headers.get('access-control-allow-origin')).toBeNull()
  })

  it('pages of other origins can call everything if they are the web site', async () => {
    const { headers } = await service.get('/api/probe/private', from('http://localhost:3000'))
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:3000')
  })

  it('pages of other origins may preflight with the headers of our clients', async () => {
    const foreign = await service.call('OPTIONS', '/api/emoji', from('https://wallet.example'))
    const ownAnswer = await service.call('OPTIONS', '/api/emoji', from('http://localhost:3000'))

    expect(foreign.status).toBe(200)
    expect(foreign.headers.get('access-control-allow-headers')).toContain('If-None-Match')
    expect(foreign.headers.get('access-control-allow-methods')).not.toContain('DELETE')
    expect(ownAnswer.headers.get('access-control-allow-methods')).toContain('DELETE')
    expect(foreign.headers.get('access-control-allow-credentials')).toBeNull()
    expect(ownAnswer.headers.get('access-control-allow-credentials')).toBe('true')
  })

  it('pages of other origins get no CORS permission at the authorization site', async () => {
    const { headers } = await service.get('/auth/', from('https://wallet.example'))
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('the API reference page', () => {
  it('redirects to a page whose files all exist', async () => {
    const redirect = await service.get('/api/docs')
    const place = new URL(redirect.headers.get('location') ?? '', `${service.address}/api/docs`)
    const html = (await service.get(place.pathname)).body
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(
      ([, file = '']) => new URL(file, place),
    )
    const statuses = await Promise.all(
      files.map(async ({ pathname }) => (await service.get(pathname)).status),
    )

    expect(place.pathname).toBe('/api/docs/')
    expect(files.length).toBeGreaterThan(3)
    expect(files.every(({ origin }) => origin === service.address)).toBe(true)
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  it('the API reference page can call the API at its public address, and no other', async () => {
    const policy = (await service.get('/api/docs/')).headers.get('content-security-policy')
    expect(policy).toContain("connect-src 'self' http://localhost:3000;")
    expect(policy).toContain("default-src 'none'")
  })
})

describe('rate limits', () => {
  it('count per address, are reported in headers and end with 429', async () => {
    stopRefillInTest()
    const answers = []
    for (let n = 0; n < 4; n++) {
      // Without a trusted proxy a client cannot choose its address by a header.
      const headers = { 'x-forwarded-for': `10.0.0.${n}` }
      answers.push(await service.get('/api/probe/limited', { headers }))
    }
    const [first, last] = [answers[0], answers[3]]

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(first?.headers.get('ratelimit-limit')).toBe('3')
    expect(first?.headers.get('ratelimit-remaining')).toBe('2')
    expect(last?.json()).toMatchObject({ code: 'rate_limited' })
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await service.get('/api/emoji')).status).toBe(200)
  })

  describe('of 5 concurrent requests', () => {
    let small: TestService
    let sockets: ReturnType<typeof trackConnections>
    beforeAll(async () => {
      const see = (server: Server) => {
        sockets = trackConnections(server)
      }
      small = await testService({
        override: withProbesAt(see),
        overload: { maxInFlight: 5, maxDelayMs: 60_000 },
      })
    })
    afterAll(() => small.close())

    it('shed the excess, and serve again afterwards', async () => {
      const shed: Answer[] = []
      const all = Promise.all(
        Array.from({ length: 20 }, async () => {
          const answer = await small.get('/api/probe/held')
          if (answer.status !== 200) shed.push(answer)
          return answer.status
        }),
      )
      await expect.poll(() => shed.length).toBe(15)
      releaseHeld()

      expect((await all).filter((status) => status === 200)).toHaveLength(5)
      for (const answer of shed) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
        expect(answer.json()).toMatchObject({ code: 'overloaded' })
      }
      // A load balancer that removed the process would overload the others.
      const ready = await small.get('/health/ready')
      expect(ready.status).toBe(200)
      expect(ready.json()).toMatchObject({ overload: { shedding_seconds: expect.any(Number) } })
      expect((await small.get('/api/emoji')).status).toBe(200)
    })

    it('ignore clients that send half a request and wait, or leave', async () => {
      const clients = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const connection = await sockets.connect(small.port)
          await connection.send(half)
          return connection
        }),
      )
      expect((await small.get('/api/emoji')).status).toBe(200)
      for (const { leave } of clients) await leave()
      expect((await small.get('/api/emoji')).status).toBe(200)
    })
  })

  it('refuse with CORS headers, so that pages of other origins can read the error', async () => {
    const { headers } = await service.get('/api/emoji?x=%ff', {
      headers: { origin: 'https://wallet.example' },
    })
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })
})

describe('a route without declared access', () => {
  it('stops the start', async () => {
    const start = testService({
      override: (container) => ({
        ...container,
        apiRoutes: [
          async (app) => {
            app.get('/forgotten', async () => ({}))
          },
        ],
      }),
    })
    await expect(start).rejects.toThrow('GET /api/forgotten does not declare who may call it')
  })
})

describe('the development page', () => {
  it('the development page shows the URLs of the services', async () => {
    const { status, body } = await service.get('/dev')
    expect(status).toBe(200)
    expect(body).toContain('http://localhost:3000/api/docs/')
  })

  it('the development page does not exist when a public address is not loopback', async () => {
    const env = {
      BASE_URL: 'https://api.example.com',
      WEB_URL: 'https://example.com',
      AUTH_URL: 'https://auth.example.com',
      MASTER_KEY: masterKey.toString('base64'),
      SMTP_URL: 'smtp://localhost:1',
      SEED_DEMO: 'false',
    }
    const open = await testService({ env })
    const owner = await newcomer(open)
    const lookupPath = at(await insertOwnedId(open, owner.id))
    const secured = [await open.get('/'), await open.get(lookupPath), await open.get(lookupPath)]
    const missing = [await open.get('/dev'), await open.get('/dev/login')]
    const demoApp = await open.get('/auth/authorize?client_id=demo-app')
    await open.close()

    expect(missing.map(({ status }) => status)).toEqual([404, 404])
    expect([demoApp.status, demoApp.body]).toEqual([400, expect.stringContaining('know the app')])
    for (const { status, headers } of secured) {
      expect(status).toBe(200)
      expect(headers.get('strict-transport-security')).toContain('max-age=')
    }
  })
})

describe('logs', () => {
  it('name requests without secrets', async () => {
    await service.get('/api/emoji?refresh_token=rt_topsecret', {
      headers: {
        authorization: 'Bearer topsecret',
        cookie: 'session=topsecret',
        'x-api-key': 'topsecret',
      },
    })
    await service.post('/api/probe/typed', { note: 'topsecret', amount: 'topsecret' })

    expect(service.logged.some((line) => line.includes('"route":"/api/emoji"'))).toBe(true)
    expect(service.logged.join()).not.toContain('topsecret')
  })
})
