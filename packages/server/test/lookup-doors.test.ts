import type { Server } from 'node:http'
import { connect } from 'node:net'
import { parseEmojiId } from '@emojid/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transact } from '../src/platform/database/database.ts'
import { insertOwnedId } from './support/ids.ts'
import { newcomer } from './support/people.ts'
import { withProbesAt } from './support/probe.ts'
import { type TestService, testService } from './support/service.ts'

// A lookup is answered in front of the server's parser, by a listener behind it, or by the framework:
// three times the same bytes.

let service: TestService
let suspendedId: string
/** The targets that the server has parsed. */
let parsedTargets: (string | undefined)[] = []
beforeAll(async () => {
  const watch = (server: Server) => server.on('request', ({ url }) => void parsedTargets.push(url))
  service = await testService({ override: withProbesAt(watch) })
  suspendedId = await insertOwnedId(service, (await newcomer(service)).id)
  await service.db
    .updateTable('emoji_ids')
    .set({ suspended_at: service.clock.now() })
    .where('emoji_id', '=', suspendedId)
    .execute()
})
afterAll(() => service.close())

const head = (target: string, headers: readonly string[] = []) =>
  [
    'GET ',
    target,
    ' HTTP/1.1\r\nHost: localhost\r\n',
    ...headers.map((line) => `${line}\r\n`),
    '\r\n',
  ].join('')

const farewell = head('/health/live', ['Connection: close'])
const doors = {
  front: (request: string) => talk([head('/health/live'), request, farewell]).then(withoutFirst),
  listener: (request: string) => talk([request, farewell]),
  // A declared body is left to the framework, even an empty one.
  framework: (request: string) =>
    talk([request.replace('\r\n\r\n', '\r\nContent-Length: 0\r\n\r\n') + farewell]),
}

/** Sends each piece after the response to the one before; returns what was answered before the last request. */
function talk(pieces: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const waiting = [...pieces]
    const socket = connect(
      service.port,
      '127.0.0.1',
      () => void socket.write(waiting.shift() ?? ''),
    )
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      text += chunk
      const next = waiting.shift()
      if (next) socket.write(next)
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text.slice(0, text.lastIndexOf('HTTP/1.1 200 OK'))))
  })
}

const withoutFirst = (text: string) => text.slice(text.indexOf('HTTP/1.1', 1))
const requestIdOf = (text: string) => /^x-request-id: (.*)\r$/im.exec(text)?.[1]
const isFast = (text: string) => requestIdOf(text)?.includes('.') === true

/** Without what differs between any two responses. */
const comparable = (text: string) =>
  text
    .replace(/^Date: .*\r$/m, 'Date: now\r')
    .replaceAll(requestIdOf(text) ?? '', (id) => (id === 'mine' ? id : 'one'))

const fire = encodeURIComponent('🔥🐍')
const lookup = `/api/emoji_id/${fire}`
const quickTargets = [
  '',
  '?',
  '?tags=',
  '?tags=0x1003',
  '?tags=0x1003,0X1004',
  '?tags=0x1003%2c0x1004,',
  '?tags=0x9999',
  '/BTC',
  '/btc',
  '/BTC?',
  '/USDC',
  '/payment',
  '/payment?',
  '/payment?tags=0x1004',
  '/payment?token=USDC&network=ETH',
  '/payment?network=eth&token=usdc',
].map((tail) => lookup + tail)

const otherTargets = [
  '?tags=1003',
  '?tags=0x1003&tags=0x1004',
  '?tags=0x10%30',
  '?unknown=1',
  '?token=USDC&network=ETH',
  '?tags=0x1003#part',
  '/NOSUCHCOIN',
  '/metadata',
  '/rhythm',
  '/proof',
  '/history',
  '/stats',
  '/payment?token=USDC',
  '/payment?token=USDC&network=ZZZ',
  '/payment?token=&network=',
  '/payment?tags=0x1003&token=USDC&network=ETH',
  '/payment?token=USDC&network=E-T-H',
  '/payment?token=USDC&network=E',
  '/payment?token=USDC&network=ETHEREUMCLASSIC',
  '/payment?token=USDCUSDCUSDCUSDCU&network=ETH',
  '/payment?token=US,DC&network=ETH',
  '/payment?token=US%2CDC&network=ETH',
  '/payment?token=US+DC&network=ETH',
  '/BTC/more',
  '/',
].map((tail) => lookup + tail)

const oddTargets = [
  `/api/emoji_id/${fire.toLowerCase()}`,
  '/api/emoji_id/fire.snake',
  '/api/emoji_id/fire.snake/BTC',
  '/api/emoji_id/x',
  '/api/emoji_id/%F0%9F',
  '/api/emoji_id/%00',
  `/api/emoji_id/${encodeURIComponent('🐍🐍🐍🐍')}`,
]

const headersOfClients: { [client: string]: string[] } = {
  'a plain client': [],
  'fetch of a page': [
    'Connection: keep-alive',
    'Accept: */*',
    'Accept-Encoding: gzip, deflate, br, zstd',
    'Accept-Language: en-US,en;q=0.9',
    'Origin: https://wallet.example',
    'Referer: https://wallet.example/',
    'Sec-Fetch-Mode: cors',
    'User-Agent: Mozilla/5.0 (X11; Linux x86_64)',
  ],
  undici: ['connection: keep-alive', 'accept: */*', 'accept-language: *', 'user-agent: node'],
  okhttp: ['Connection: Keep-Alive', 'Accept-Encoding: gzip', 'User-Agent: okhttp/4.12.0'],
  curl: ['User-Agent: curl/8.5.0', 'Accept: */*'],
  'a proxy': ['X-Request-Id: mine', 'X-Forwarded-For: 203.0.113.9', 'X-Forwarded-For: 203.0.113.8'],
  'a client with trailers': ['TE: trailers', 'Accept: text/html', 'Accept: */*'],
  'a client with any version': ['If-None-Match: *'],
  'a client with a foreign token': ['Authorization: Bearer nothing', 'X-Api-Key: nothing'],
}

async function answersTo(request: string) {
  // Prepares the answer: the first one may come from the database.
  await doors.framework(request)
  const answers = {
    front: await doors.front(request),
    listener: await doors.listener(request),
    framework: await doors.framework(request),
  }
  expect(comparable(answers.listener)).toBe(comparable(answers.framework))
  expect(comparable(answers.front)).toBe(comparable(answers.framework))
  return answers
}

describe('every form of a lookup has the same bytes at every door', () => {
  it.each(quickTargets)('%s, without the framework', async (target) => {
    const { front, listener, framework } = await answersTo(head(target))
    parsedTargets = []
    await doors.front(head(target))
    expect(parsedTargets).not.toContain(target)
    expect(front).toMatch(/^HTTP\/1.1 200 /)
    expect([front, listener, framework].map(isFast)).toEqual([true, true, false])
  })

  it.each([...otherTargets, ...oddTargets])('%s', async (target) => {
    await answersTo(head(target))
  })

  it('every form of a lookup has the same bytes at every door of a suspended id', async () => {
    for (const tail of ['', '/BTC', '/payment', '?tags=0x1003']) {
      const { front } = await answersTo(
        head(`/api/emoji_id/${encodeURIComponent(suspendedId)}${tail}`),
      )
      expect(front).toMatch(/^HTTP\/1.1 451 /)
    }
  })
})

describe('the headers of real clients change nothing', () => {
  it.each(Object.entries(headersOfClients))('%s', async (_client, headers) => {
    for (const tail of ['', '/BTC', '/payment']) await answersTo(head(lookup + tail, headers))
  })
})

it('an edit is seen at once at every door', async () => {
  const id = await insertOwnedId(service, (await newcomer(service)).id)
  const request = head(`/api/emoji_id/${encodeURIComponent(id)}?tags=0x5001`)
  for (const data of ['one', 'two']) {
    await transact(service.db, (trx) =>
      service.edits.writeDemoRecords(trx, parseEmojiId(id), [{ tag: '0x5001', data }]),
    )
    const answers = await Promise.all(Object.values(doors).map((ask) => ask(request)))
    for (const answer of answers) expect(answer).toContain(`"data":"${data}"`)
  }
})
