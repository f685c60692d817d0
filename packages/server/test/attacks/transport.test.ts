import type { Server } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withProbesAt } from '../support/probe.ts'
import { sendRaw, sendSlowly } from '../support/raw.ts'
import { type TestService, testService } from '../support/service.ts'

let service: TestService
let server: Server
beforeAll(async () => {
  const see = (started: Server) => {
    server = started
  }
  service = await testService({ override: withProbesAt(see) })
})
afterAll(() => service.close())

const head =
  'POST /api/probe/echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

describe('a malformed HTTP request', () => {
  it.each([
    {
      fault: 'both lengths',
      request: `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
    },
    { fault: 'two lengths', request: `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}` },
    { fault: 'bare line feeds', request: 'GET /api/emoji HTTP/1.1\nHost: localhost\n\n' },
    {
      fault: 'a broken chunk size',
      request: `${head}Transfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n`,
    },
    { fault: 'no host', request: 'GET /api/emoji HTTP/1.1\r\nConnection: close\r\n\r\n' },
    { fault: 'no HTTP at all', request: '\u0016\u0003\u0001 hello\r\n\r\n' },
  ])('with $fault gets 400 and a closed connection', async ({ request }) => {
    expect((await sendRaw(service.port, request)).status).toBe(400)
  })

  it('after a valid one does not overtake its response', async () => {
    for (const stray of [
      'null',
      '{"a":1}',
      '\u0016\u0003\u0001\r\n\r\n',
      'GET / HTTP/9.9\r\n\r\n',
    ]) {
      const good = `${head}Content-Length: 2\r\n\r\n{}`
      const { status, text } = await sendRaw(service.port, good + stray)

      expect([stray, status]).toEqual([stray, 200])
      expect(text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
      expect(text).toMatch(/connection: close/i)
    }
  })

  it('after two valid ones lets both be answered', async () => {
    const lookup = 'GET /api/emoji HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const { text } = await sendRaw(service.port, `${lookup}${lookup}null`)
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
  })

  it('is one of 16 that a client may pipeline before the first response; then the connection is closed', async () => {
    const one = 'GET /api/emoji HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const { text } = await sendRaw(service.port, one.repeat(500))
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(16)
    expect((await service.get('/api/emoji')).status).toBe(200)
  })

  it('with 20 KB of headers at a lookup gets 431 in the common error format', async () => {
    const request = `GET /api/emoji_id/%F0%9F%94%A5/payment?x=${'a'.repeat(20_480)} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const { status, text } = await sendRaw(service.port, request)
    const body = JSON.parse(text.split('\r\n\r\n')[1] ?? '')
    expect(status).toBe(431)
    expect(Object.keys(body)).toEqual(['error', 'code', 'request_id'])
  })

  it('with 20 KB of headers gets 431', async () => {
    const request = `GET /api/emoji HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'a'.repeat(20_480)}\r\n\r\n`
    expect((await sendRaw(service.port, request)).status).toBe(431)
  })

  it('with HEAD gets no body', async () => {
    const request = `HEAD /api/emoji?x=${'a'.repeat(20_480)} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const { status, text } = await sendRaw(service.port, request)
    expect([status, text.split('\r\n\r\n')[1]]).toEqual([431, ''])
  })

  it('gets a JSON error', async () => {
    const { text } = await sendRaw(service.port, 'GET / HTTP/9.9\r\n\r\n')
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'invalid_request' })
  })
})

describe('a client that sends one byte at a time (T111)', () => {
  it('has 15 s for headers and 20 s for a request', async () => {
    const limits = (await service.get('/api/probe/limits')).json()
    expect(limits).toMatchObject({ headers_ms: 15_000, request_ms: 20_000 })
  })

  it('is cut off with 408 after that, in the headers or in the body', async () => {
    const usual = { headersTimeout: server.headersTimeout, requestTimeout: server.requestTimeout }
    Object.assign(server, { headersTimeout: 200, requestTimeout: 300 })
    const cutOff = await Promise.all(
      [
        'GET /api/emoji HTTP/1.1\r\nHost: localhost\r\nX-Slow: ',
        `${head}Content-Length: 10000\r\n\r\n"`,
      ].map((start) => sendSlowly(service.port, start)),
    )
    Object.assign(server, usual)

    expect(cutOff.map(({ status }) => status)).toEqual([408, 408])
    for (const { text } of cutOff) expect(text).toContain('request_timeout')
  })
})

describe('a non-local host name', () => {
  const page = (host: string) =>
    sendRaw(service.port, `GET /dev HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)

  it('cannot open the development page', async () => {
    expect((await page('evil.example')).status).toBe(404)
    expect((await page('localhost.evil.example:3000')).status).toBe(404)
    expect((await page('localhost:3000')).status).toBe(200)
  })
})
