import { once } from 'node:events'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { sendRaw } from '../../../../test/support/raw.ts'
import { refusal } from '../../errors.ts'
import { createStreamGate } from './event-stream.ts'

type Limits = { perNetwork: number; inTotal: number; times?: Times }
type Times = { beatMs: number; longestMs: number }

/** No heartbeat detects that a client has gone. */
const withoutBeats = { beatMs: 3_600_000, longestMs: 3_600_000 }

/** A server whose every response is a stream; a client names its address. */
async function serve(limits: Limits) {
  const refuse = () => refusal('limited', 'too_many_streams', 'Close some.')
  const gate = createStreamGate({ ...limits, refuse })
  const app = Fastify({ trustProxy: true })
  app.setErrorHandler((error, _request, reply) =>
    reply.code(500).send((error as unknown as { code: string }).code),
  )
  // The service sets this too.
  Object.assign(app.server, { httpAllowHalfOpen: true })
  let leave = () => {}
  let isGone = false
  app.get('/late', async (request, reply) => {
    const closed = once(request.raw.socket, 'end')
    leave()
    await closed
    gate.open(request, reply).write('too late')
    isGone = true
    return reply
  })
  let releaseEarlier = () => {}
  app.get('/earlier', async () => {
    await new Promise<void>((resolve) => {
      releaseEarlier = resolve
    })
    return ''
  })
  app.get('/', async (request, reply) => {
    const stream = gate.open(request, reply)
    releaseEarlier()
    stream.write('id: 1\n\n')
    stream.setBeat(() => 'id: 2\n\n')
    return reply
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    gate.closeAll()
    app.server.closeAllConnections()
    await app.close()
  })
  const open = async (from: string) => {
    const controller = new AbortController()
    const answer = await fetch(address, {
      headers: { 'x-forwarded-for': from },
      signal: controller.signal,
    })
    return { status: answer.status, text: () => answer.text(), close: () => controller.abort() }
  }
  /** Opens a stream, and closes the connection before the response. */
  const openAndLeave = async () => {
    const controller = new AbortController()
    leave = () => controller.abort()
    await fetch(`${address}/late`, { signal: controller.signal }).catch(() => {})
    await expect.poll(() => isGone, { interval: 5 }).toBe(true)
  }
  return { gate, address, open, openAndLeave }
}

it('a stream beats, and ends after its longest time', async () => {
  const { gate, open } = await serve({
    perNetwork: 1,
    inTotal: 1,
    times: { beatMs: 20, longestMs: 200 },
  })
  const stream = await open('192.0.2.1')
  expect(await stream.text()).toMatch(/^id: 1\n\n(id: 2\n\n)+$/)
  await expect.poll(gate.count, { interval: 5 }).toBe(0)
})

it('a process refuses streams beyond its limit to every network, until one closes', async () => {
  const { gate, open } = await serve({ perNetwork: 2, inTotal: 3, times: withoutBeats })
  const [first] = [await open('192.0.2.1'), await open('192.0.2.1')]
  expect(await (await open('192.0.2.7')).text()).toBe('too_many_streams')
  expect((await open('198.51.100.1')).status).toBe(200)
  expect(await (await open('203.0.113.1')).text()).toBe('too_many_streams_here')
  expect(gate.count()).toBe(3)
  first?.close()
  await expect.poll(gate.count, { interval: 5 }).toBe(2)
  expect((await open('203.0.113.1')).status).toBe(200)
})

it('a wide network has four times the streams of a network', async () => {
  const { gate, open } = await serve({ perNetwork: 1, inTotal: 100 })
  for (let nth = 0; nth < 4; nth++) expect((await open(`192.0.${nth}.1`)).status).toBe(200)
  expect(await (await open('192.0.4.1')).text()).toBe('too_many_streams')
  expect(gate.count()).toBe(4)
})

it('the last quarter of all streams is left for wide networks with few', async () => {
  const { gate, open } = await serve({ perNetwork: 2, inTotal: 8, times: withoutBeats })
  for (let nth = 0; nth < 6; nth++)
    expect((await open(`${nth < 3 ? '192.0' : '198.51'}.${nth}.1`)).status).toBe(200)
  expect(await (await open('192.0.9.1')).text()).toBe('too_many_streams_here')
  expect((await open('203.0.113.1')).status).toBe(200)
  expect(gate.count()).toBe(7)
})

it('a client that leaves before its stream opens takes no room', async () => {
  const { gate, openAndLeave } = await serve({ perNetwork: 1, inTotal: 1, times: withoutBeats })
  await openAndLeave()
  await expect.poll(gate.count, { interval: 5 }).toBe(0)
})

it('a stream ends at once if the response of an earlier request still has the connection', async () => {
  const { gate, address } = await serve({ perNetwork: 1, inTotal: 1, times: withoutBeats })
  const request = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
  const { text } = await sendRaw(Number(new URL(address).port), request('/earlier') + request('/'))
  expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  expect(gate.count()).toBe(0)
})
