import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withProbes } from '../support/probe.ts'
import { type TestService, testService } from '../support/service.ts'

let service: TestService
const path = `/api/emoji_id/${encodeURIComponent('🔥🐍')}`
const lookup = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`

beforeAll(async () => {
  service = await testService({ override: withProbes })
  // From now on it is remembered, and plain requests are answered at the door.
  await service.get(path)
})
afterAll(() => service.close())

/** Sends pieces one after the other on one connection and reads what comes within a moment. */
async function talk(...pieces: string[]): Promise<{ text: string; statuses: number[] }> {
  const socket = connect(service.port, '127.0.0.1')
  let text = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    text += chunk
  })
  socket.on('error', () => {})
  for (const piece of pieces) {
    socket.write(piece, 'latin1')
    await sleep(60)
  }
  await sleep(150)
  socket.destroy()
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
  return { text, statuses }
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
  it('answers lookups again and again, then whatever else comes, in order', async () => {
    const other = 'GET /api/emoji_id/%F0%9F%94%A5/rhythm HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const { statuses, text } = await talk(lookup, lookup, other, lookup)

    expect(statuses).toEqual([200, 200, 200, 200])
    expect(text.indexOf('"rhythm":100')).toBeGreaterThan(text.indexOf('"status":true'))
  })

  it('answers requests that arrive together, or in pieces', async () => {
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
  ])('answers somebody who has finished speaking (%s)', async (_what, id, status) => {
    const text = await new Promise<string>((resolve) => {
      let read = ''
      const asked = lookup.replace(path, `/api/emoji_id/${encodeURIComponent(id)}`)
      const socket = connect(service.port, '127.0.0.1', () => socket.end(asked))
      socket.on('data', (chunk) => {
        read += chunk
      })
      socket.on('close', () => resolve(read))
    })
    expect(text).toContain(`HTTP/1.1 ${status}`)
  })

  it('is closed when that was asked for', async () => {
    const { text, statuses } = await talk(withHeader('Connection: close'), lookup)
    expect(statuses).toEqual([200])
    expect(text).toContain('Connection: close')
  })
})

describe('a lookup that is more than a plain one is read by the server alone', () => {
  it.each([
    ['a body', withHeader('Content-Length: 4').concat('evil'), [200]],
    [
      'a hidden request in its body',
      withHeader(`Content-Length: ${lookup.length}`).concat(lookup),
      [200],
    ],
    ['two lengths', withHeader('Content-Length: 0', 'Content-Length: 5'), [400]],
    [
      'both kinds of length',
      withHeader('Content-Length: 0', 'Transfer-Encoding: chunked').concat('0\r\n\r\n'),
      [400],
    ],
    ['two hosts', withHeader('Host: other'), [400]],
    ['no host', `GET ${path} HTTP/1.1\r\nConnection: keep-alive\r\n\r\n`, [400]],
    ['a folded line', withHeader('X-Folded: a', ' b'), [400]],
    ['a space before the colon', withHeader('X-Odd : a'), [400]],
    ['bare line feeds', `GET ${path} HTTP/1.1\nHost: localhost\n\n`, [400]],
    ['a carriage return in a value', withHeader('X-Odd: a\rb'), [400]],
    ['NUL in a value', withHeader('X-Odd: a\0b'), [400]],
    ['another version', `GET ${path} HTTP/1.2\r\nHost: localhost\r\n\r\n`, [400]],
    ['a fragment', `GET ${path}#x HTTP/1.1\r\nHost: localhost\r\n\r\n`, [200]],
    ['an upgrade', withHeader('Connection: Upgrade', 'Upgrade: websocket'), [200]],
    ['an expectation', withHeader('Expect: 100-continue'), [100, 200]],
    ['an expectation of something else', withHeader('Expect: wonders'), [200]],
    ['HTTP/2 in words', `GET ${path} HTTP/2.0\r\nHost: localhost\r\n\r\n`, [400]],
    [
      'an absolute address',
      `GET http://localhost${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
      [200, 400],
    ],
    ['3 KB of headers', withHeader(`X-Long: ${'a'.repeat(3_000)}`), [200]],
    ['20 KB of headers', withHeader(`X-Long: ${'a'.repeat(20_480)}`), [431]],
  ])('(%s)', async (_what, request, expected) => {
    const { statuses } = await talk(request)

    expect(statuses.length).toBeLessThanOrEqual(2)
    for (const status of statuses) expect(expected).toContain(status)
    expect(statuses.length).toBeGreaterThan(0)
  })

  it('so that a hidden request is never answered', async () => {
    const hidden = withHeader(`Content-Length: ${lookup.length}`).concat(lookup)
    expect((await talk(hidden)).statuses).toEqual([200])
  })

  it("a request id of one's own comes back", async () => {
    expect((await talk(withHeader('X-Request-Id: mine'))).text).toContain('x-request-id: mine')
  })
})

describe('an id that memory does not have', () => {
  const lookups = (ids: string[]) =>
    ids.map((id) => lookup.replace(path, `/api/emoji_id/${encodeURIComponent(id)}`))

  it('is answered in order with what follows on the connection', async () => {
    await service.db.updateTable('record_sets').set({ version: 5 }).execute()
    const [guitars = '', wave = '', nobody = '', robot = ''] = lookups([
      '🎸🎸🎸',
      '👋🌴',
      '🐍🐍🐍',
      '🤖💎',
    ])
    const { text, statuses } = await talk(guitars, wave + nobody, robot)

    expect(statuses).toEqual([200, 200, 404, 200])
    expect(text.indexOf('example.com/guitars')).toBeLessThan(text.indexOf('Savings'))
  })

  it('is refused within 5 s when the database does not answer in time', async () => {
    const { connection } = service.database ?? {}
    const blocker = new pg.Client(connection)
    await blocker.connect()
    await blocker.query(
      'begin; update record_sets set version = version + 1; lock table record_sets',
    )
    const started = Date.now()
    const { status } = await service.get(`/api/emoji_id/${encodeURIComponent('🐙🍕👑')}`)
    await blocker.end()

    expect(status).toBe(503)
    expect(Date.now() - started).toBeLessThan(5_500)
  })
})

describe('a client that does not read', () => {
  it('cannot make the service hold its answers without end', async () => {
    const socket = connect(service.port, '127.0.0.1')
    socket.on('error', () => {})
    socket.pause()
    const before = heldBytes()
    for (let n = 0; n < 20_000 && !socket.destroyed; n++) socket.write(lookup)
    await sleep(1_500)
    const grown = heldBytes() - before
    socket.destroy()

    expect(grown).toBeLessThan(20 * 1024 * 1024)
    expect((await service.get(path)).status).toBe(200)
  })
})
