import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { sendRaw } from '../../../../test/support/raw.ts'
import { testProviders } from '../../../../test/support/sandbox.ts'
import { createPlainServer, limitUnreadAnswers } from './connections.ts'

const stray = '\u0016\u0003\u0001\r\n\r\n'

it('the server answers a valid request before it rejects the malformed bytes after it', async () => {
  const server = createPlainServer((_request, response) => {
    setImmediate(() => response.end('figures'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const valid = 'GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const { status, text } = await sendRaw(port, valid + stray)
  expect([status, text.match(/HTTP\/1\.1 /g)?.length]).toEqual([200, 1])
  expect(text).toContain('figures')
  expect((await sendRaw(port, stray)).status).toBe(400)
  server.close()
})

it('the server keeps nothing per packet of malformed bytes while a response is pending', async () => {
  let faultCount = 0
  let pending: ServerResponse | undefined
  const server = createPlainServer((_request, response) => {
    pending = response
  })
  server.on('clientError', () => faultCount++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').resume()
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(server, 'request')
  const listenersAfter = async (count: number) => {
    while (faultCount < count) {
      client.write(stray)
      await once(server, 'clientError')
    }
    return pending?.listenerCount('close')
  }
  const usual = await listenersAfter(1)
  expect(await listenersAfter(20)).toBe(usual)
  pending?.end('figures')
  await once(client, 'close')
})

it('the server answers 16 pipelined requests, then reads nothing more and disconnects', async () => {
  let requestCount = 0
  const server = createPlainServer((_request, response) => {
    requestCount++
    setImmediate(() => response.end('figures'))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  // Such a client goes on sending after the last response.
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  client.on('error', () => {})
  const pipelined = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100)
  const [[accepted]] = await Promise.all([once(server, 'connection'), once(client, 'connect')])
  client.write(pipelined)
  client.resume().once('end', () => client.write(pipelined))
  await once(accepted, 'close')
  client.destroy()
  expect(requestCount).toBe(16)
})

it('the sandbox answers a valid request before it rejects the malformed bytes after it', async () => {
  const providers = await testProviders()
  const port = Number(new URL(providers.url).port)
  const valid = `POST /v1/checkout/sessions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n`
  const { status, text } = await sendRaw(port, valid + stray)
  expect([status, text.match(/HTTP\/1\.1 /g)?.length]).toEqual([401, 1])
  expect((await sendRaw(port, stray)).status).toBe(400)
  await providers.close()
})

const megabyte = 1_000_000
/** More than the kernel buffers for a connection. */
const large = Buffer.alloc(20 * megabyte)
const never = 60 * 60_000

/** Serves 20 MB at /large, a word elsewhere, and /later on command. */
async function serve(limits: { longestMs: number; bytesAtMost: number }) {
  let answer = () => {}
  const server = createServer((request, response) => {
    if (request.url === '/later') answer = () => void response.end('later')
    else response.end(request.url === '/large' ? large : 'here')
  })
  limitUnreadAnswers(server, { checkedEveryMs: 10, ...limits })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    /** Answers the request for /later. */
    answer: () => answer(),
    /** A client that sends a request and reads nothing. */
    async ask() {
      const socket = connect(port, '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      const [accepted] = await Promise.all([once(server, 'connection'), once(socket, 'connect')])
      socket.pause().write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await once(server, 'request')
      return { isCut: () => accepted[0].destroyed as boolean }
    },
  }
}

it('a client that reads nothing is disconnected after a while; other clients get responses', async () => {
  const { address, ask } = await serve({ longestMs: 100, bytesAtMost: 1_000 * megabyte })
  const silent = await ask()
  expect(await (await fetch(address)).text()).toBe('here')
  await expect.poll(silent.isCut, { interval: 10 }).toBe(true)
})

it('the largest unread responses are dropped when all together are too large, but no waiting client is', async () => {
  const { address, ask, answer } = await serve({ longestMs: never, bytesAtMost: 30 * megabyte })
  const waitingAnswer = fetch(`${address}/later`)
  const clients = [await ask(), await ask(), await ask(), await ask()]
  const cut = () => clients.filter(({ isCut }) => isCut()).length
  await expect.poll(cut, { interval: 10 }).toBeGreaterThan(0)
  answer()
  expect(await (await waitingAnswer).text()).toBe('later')
  expect(cut()).toBeLessThan(clients.length)
})
