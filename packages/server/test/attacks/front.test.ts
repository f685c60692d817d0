import { once } from 'node:events'
import type { IncomingMessage, Server } from 'node:http'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parseEmojiId } from '@emojid/core'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transact } from '../../src/platform/database/database.ts'
import { releaseHeld, withProbesAt } from '../support/probe.ts'
import { sendRaw, sendSlowly, trackConnections } from '../support/raw.ts'
import { type TestService, testService } from '../support/service.ts'

let service: TestService
let server: Server
let sockets: ReturnType<typeof trackConnections>
const path = `/api/emoji_id/${encodeURIComponent('🔥🐍')}`
const lookup = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

beforeAll(async () => {
  const see = (started: Server) => {
    server = started
    sockets = trackConnections(server)
  }
  service = await testService({ override: withProbesAt(see) })
  // From now on it is cached, and plain requests are answered in front of the router.
  await service.get(path)
})
afterAll(() => service.close())

/** The last request on a connection: its response shows that all earlier ones were answered. */
const farewell =
  'GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: farewell\r\nConnection: close\r\n\r\n'

/** Sends pieces, each after the previous one was read, and reads until the service closes. */
async function converse(...pieces: string[]): Promise<{ text: string; statuses: number[] }> {
  const { client, send } = await sockets.connect(service.port)
  let text = ''
  client.setEncoding('latin1')
  client.on('data', (chunk) => {
    text += chunk
  })
  const closing = once(client, 'close')
  for (const piece of pieces) await send(piece)
  await closing
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  return { text, statuses }
}

/** The responses on a connection that stays open. */
async function talk(...pieces: string[]): Promise<{ text: string; statuses: number[] }> {
  const { text, statuses } = await converse(...pieces, farewell)
  expect(text).toContain('x-request-id: farewell')
  return { text, statuses: statuses.slice(0, -1) }
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function heldBytes(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

const withHeader = (...lines: string[]) =>
  `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${lines.map((line) => `${line}\r\n`).join('')}\r\n`

describe('one connection', () => {
  it('answers repeated lookups, then any other request, in order', async () => {
    const other = 'GET /api/emoji_id/%F0%9F%94%A5/rhythm HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const { statuses, text } = await talk(lookup, lookup, other, lookup)

    expect(statuses).toEqual([200, 200, 200, 200])
    expect(text.indexOf('"rhythm":100')).toBeGreaterThan(text.indexOf('"status":true'))
  })

  it('answers requests that arrive together or in pieces', async () => {
    expect((await talk(lookup + lookup + lookup)).statuses).toEqual([200, 200, 200])
    expect((await talk(lookup.slice(0, 20), lookup.slice(20), lookup)).statuses).toEqual([200, 200])
    expect((await talk(lookup, lookup + lookup.slice(0, 30), lookup.slice(30))).statuses).toEqual([
      200, 200, 200,
    ])
  })

  it.each([
    ['remembered', '🔥🐍', '200 OK'],
    ['not remembered', '🎸🎸🎸', '200 OK'],
    ['not registered', '🐍🐍🐍🐍', '404 Not Found'],
  ])('answers a client that has half-closed (%s)', async (_what, id, status) => {
    const text = await new Promise<string>((resolve) => {
      let read = ''
      const lookupOfId = lookup.replace(path, `/api/emoji_id/${encodeURIComponent(id)}`)
      const socket = connect(service.port, '127.0.0.1', () => socket.end(lookupOfId))
      socket.on('data', (chunk) => {
        read += chunk
      })
      socket.on('close', () => resolve(read))
    })
    expect(text).toContain(`HTTP/1.1 ${status}`)
  })

  it('one connection is closed on request', async () => {
    const { text, statuses } = await converse(withHeader('Connection: close'))
    expect(statuses).toEqual([200])
    expect(text).toContain('Connection: close')
  })
})

describe('a non-trivial lookup goes to the HTTP server', () => {
  it.each([
    ['a body', withHeader('Content-Length: 4').concat('evil'), [200]],
    [
      'a hidden request in its body',
      withHeader(`Content-Length: ${lookup.length}`).concat(lookup),
      [200],
    ],
    ['two hosts', withHeader('Host: other'), [400]],
    ['no host', `GET ${path} HTTP/1.1\r\nConnection: keep-alive\r\n\r\n`, [400]],
    ['a fragment', `GET ${path}#x HTTP/1.1\r\nHost: localhost\r\n\r\n`, [200]],
    ['an upgrade', withHeader('Connection: Upgrade', 'Upgrade: websocket'), [200]],
    ['an expectation', withHeader('Expect: 100-continue'), [100, 200]],
    ['an unknown expectation', withHeader('Expect: wonders'), [200]],
    ['an absolute address', lookup.replace(path, `http://localhost${path}`), [200]],
    ['3 KB of headers', withHeader(`X-Long: ${'a'.repeat(3_000)}`), [200]],
  ])('a non-trivial lookup goes to the HTTP server with %s', async (_what, request, expected) => {
    expect((await talk(request)).statuses).toEqual(expected)
  })

  it.each([
    ['two lengths', withHeader('Content-Length: 0', 'Content-Length: 5'), 400],
    [
      'both kinds of length',
      withHeader('Content-Length: 0', 'Transfer-Encoding: chunked').concat('0\r\n\r\n'),
      400,
    ],
    ['a folded line', withHeader('X-Folded: a', ' b'), 400],
    ['a space before the colon', withHeader('X-Odd : a'), 400],
    ['bare line feeds', `GET ${path} HTTP/1.1\nHost: localhost\n\n`, 400],
    ['a carriage return in a value', withHeader('X-Odd: a\rb'), 400],
    ['NUL in a value', withHeader('X-Odd: a\0b'), 400],
    ['another version', `GET ${path} HTTP/1.2\r\nHost: localhost\r\n\r\n`, 400],
    ['HTTP/2 in the request line', `GET ${path} HTTP/2.0\r\nHost: localhost\r\n\r\n`, 400],
    ['20 KB of headers', withHeader(`X-Long: ${'a'.repeat(20_480)}`), 431],
  ])('which closes the connection on malformed HTTP (%s)', async (_what, request, status) => {
    expect((await converse(request)).statuses).toEqual([status])
  })

  it('a client’s request id is returned', async () => {
    expect((await talk(withHeader('X-Request-Id: mine'))).text).toContain('x-request-id: mine')
  })
})

describe('a lookup is answered in front of the parser only between two requests', () => {
  const other = 'GET /api/emoji HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const withBody = (length: number) =>
    other.replace('\r\n\r\n', `\r\nContent-Length: ${length}\r\n\r\n`)
  const post = (length: number) => `${head}Content-Length: ${length}\r\n\r\n`
  const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`

  /** How often the server parsed the target of the lookup meanwhile. */
  async function countParsed(work: () => Promise<void>): Promise<number> {
    let count = 0
    const note = ({ url }: IncomingMessage) => {
      if (url === path) count++
    }
    server.on('request', note)
    await work()
    server.off('request', note)
    return count
  }

  it.each([
    { before: 'a request without a body', pieces: [other], parsed: 0 },
    { before: 'a body', pieces: [`${post(2)}{}`], parsed: 0 },
    { before: 'a body in pieces', pieces: [`${post(7)}{"`, 'a":', '1}'], parsed: 0 },
    { before: 'a body that is a lookup', pieces: [withBody(lookup.length), lookup], parsed: 0 },
    { before: 'a head in pieces', pieces: [other.slice(0, 9), other.slice(9)], parsed: 1 },
    { before: 'two requests at once', pieces: [other + other], parsed: 1 },
    { before: 'a body in chunks', pieces: [`${chunked}2\r\n{}\r\n0\r\n\r\n`], parsed: 1 },
    { before: 'bytes after a body', pieces: [`${post(2)}{}\r\n`], parsed: 1 },
    { before: 'an unusual field', pieces: [other.replace('Host', 'X*: 1\r\nHost')], parsed: 1 },
  ])('$before: parsed $parsed times', async ({ pieces, parsed }) => {
    const count = await countParsed(async () => {
      const { text, statuses } = await talk(...pieces, lookup)
      expect(statuses.at(-1)).toBe(200)
      expect(text.match(/"status":true,"result"/g)).toHaveLength(1)
    })
    expect(count).toBe(parsed)
  })

  it('a lookup that arrives before the response to another request waits for it', async () => {
    const held = other.replace('/emoji', '/probe/held')
    const count = await countParsed(async () => {
      server.on('request', ({ url }) => {
        if (url === path) releaseHeld()
      })
      const { text } = await talk(held, lookup)
      expect(text).toMatch(/\{\}HTTP.*"status":true/s)
    })
    expect(count).toBe(1)
  })
})

describe('an id that is not cached', () => {
  const lookups = (ids: string[]) =>
    ids.map((id) => lookup.replace(path, `/api/emoji_id/${encodeURIComponent(id)}`))

  it('an id that is not cached is answered in order with the following requests of the connection', async () => {
    await service.db.updateTable('record_sets').set({ version: 5 }).execute()
    const [guitars = '', wave = '', unowned = '', robot = ''] = lookups([
      '🎸🎸🎸',
      '👋🌴',
      '🐍🐍🐍',
      '🤖💎',
    ])
    const { text, statuses } = await talk(guitars, wave + unowned, robot)

    expect(statuses).toEqual([200, 200, 404, 200])
    expect(text.indexOf('example.com/guitars')).toBeLessThan(text.indexOf('Savings'))
  })

  it('an id that is not cached is refused with 503 when the database does not answer in time', async () => {
    const { connection, url } = service.database ?? {}
    const hurried = await testService({ databaseUrl: String(url), isHurried: true })
    const blocker = new pg.Client(connection)
    await blocker.connect()
    await blocker.query(
      'begin; update record_sets set version = version + 1; lock table record_sets',
    )
    const { status } = await hurried.get(`/api/emoji_id/${encodeURIComponent('🐙🍕👑')}`)
    await blocker.end()
    await hurried.close()

    expect(status).toBe(503)
  })
})

describe('a client that does not read', () => {
  const large = parseEmojiId('🐙🍕👑')
  const largeLookup = lookup.replace(path, `/api/emoji_id/${encodeURIComponent(large)}`)
  const requests = 2_000
  /** Far more than the system buffers for both ends of a connection. */
  const answersBytes = 100 * 1024 * 1024

  it('stops the service from reading, so that responses do not pile up', async () => {
    const records = Array.from({ length: 190 }, (_, n) => ({
      tag: '0x5001',
      data: `${n} `.repeat(60),
    }))
    await transact(service.db, (trx) => service.edits.writeDemoRecords(trx, large, records))
    const ask = () => service.get(`/api/emoji_id/${encodeURIComponent(large)}`)
    const { body } = await ask()
    // The response comes from the cache, so that the front answers.
    await expect
      .poll(async () => [await ask(), service.records.peekAnswer(large, { form: 'lookup' })][1])
      .toBeDefined()
    expect(body.length * requests).toBeGreaterThan(answersBytes)
    const { client, served, leave } = await sockets.connect(service.port)
    client.pause()
    const before = heldBytes()
    let sentCount = 0
    /** Whether the service reads all of it. Other clients are served meanwhile. */
    const isRead = async (text: string) => {
      sentCount += text.length
      client.write(text)
      for (let [read, still] = [0, 0]; served.bytesRead < sentCount; still++) {
        if (served.bytesRead > read) still = 0
        else if (still === 20) return false
        read = served.bytesRead
        expect((await service.get(path)).status).toBe(200)
      }
      return true
    }
    // Piece by piece until the front stops reading, then the rest at once.
    let requestCount = 1
    while (requestCount < requests && (await isRead(largeLookup))) requestCount++
    expect(await isRead(largeLookup.repeat(requests - requestCount + 1))).toBe(false)
    const grown = heldBytes() - before
    await leave()

    expect(requestCount).toBeLessThan(requests)
    expect(grown).toBeLessThan(answersBytes / 4)
    expect((await service.get(path)).status).toBe(200)
  })
})

describe('a body that its route ignores', () => {
  it('a body that its route ignores is read no further after the response', async () => {
    const { client, served } = await sockets.connect(service.port)
    client.write('GET /api/emoji HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n')
    client.write(`4e20\r\n${'a'.repeat(20_000)}\r\n`.repeat(1_000))
    await once(client, 'data')
    // Other clients are served until the service reads nothing more.
    for (let [read, still] = [0, 0]; still < 20; still++) {
      if (served.bytesRead > read) still = 0
      read = served.bytesRead
      expect((await service.get(path)).status).toBe(200)
    }
    client.destroy()
    expect(served.bytesRead).toBeLessThan(1_000_000)
  })
})

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
  ])(
    'a malformed HTTP request with $fault gets 400 and a closed connection',
    async ({ request }) => {
      expect((await sendRaw(service.port, request)).status).toBe(400)
    },
  )

  it('a malformed HTTP request after a valid one does not overtake its response', async () => {
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

  it('a malformed HTTP request after two valid ones lets both be answered', async () => {
    const lookup = 'GET /api/emoji HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const { text } = await sendRaw(service.port, `${lookup}${lookup}null`)
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
  })

  it('a malformed HTTP request is one of 16 that a client may pipeline before the first response; then the connection is closed', async () => {
    const one = 'GET /api/emoji HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const { text } = await sendRaw(service.port, one.repeat(500))
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(16)
    expect((await service.get('/api/emoji')).status).toBe(200)
  })

  it('a malformed HTTP request with 20 KB of headers at a lookup gets 431 in the common error format', async () => {
    const request = `GET /api/emoji_id/%F0%9F%94%A5/payment?x=${'a'.repeat(20_480)} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const { status, text } = await sendRaw(service.port, request)
    const body = JSON.parse(text.split('\r\n\r\n')[1] ?? '')
    expect(status).toBe(431)
    expect(Object.keys(body)).toEqual(['error', 'code', 'request_id'])
  })

  it('a malformed HTTP request with 20 KB of headers gets 431', async () => {
    const request = `GET /api/emoji HTTP/1.1\r\nHost: localhost\r\nX-Large: ${'a'.repeat(20_480)}\r\n\r\n`
    expect((await sendRaw(service.port, request)).status).toBe(431)
  })

  it('a malformed HTTP request with HEAD gets no body', async () => {
    const request = `HEAD /api/emoji?x=${'a'.repeat(20_480)} HTTP/1.1\r\nHost: localhost\r\n\r\n`
    const { status, text } = await sendRaw(service.port, request)
    expect([status, text.split('\r\n\r\n')[1]]).toEqual([431, ''])
  })

  it('a malformed HTTP request gets a JSON error', async () => {
    const { text } = await sendRaw(service.port, 'GET / HTTP/9.9\r\n\r\n')
    expect(JSON.parse(text.split('\r\n\r\n')[1] ?? '')).toMatchObject({ code: 'invalid_request' })
  })
})

describe('a client that sends one byte at a time (T111)', () => {
  it('a client that sends one byte at a time (T111) has 15 s for headers and 20 s for a request', async () => {
    const limits = (await service.get('/api/probe/limits')).json()
    expect(limits).toMatchObject({ headers_ms: 15_000, request_ms: 20_000 })
  })

  it('a client that sends one byte at a time (T111) is cut off with 408 after that, in the headers or in the body', async () => {
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

  it('a non-local host name cannot open the development page', async () => {
    expect((await page('evil.example')).status).toBe(404)
    expect((await page('localhost.evil.example:3000')).status).toBe(404)
    expect((await page('localhost:3000')).status).toBe(200)
  })
})
