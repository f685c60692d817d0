import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { limitUnreadAnswers } from './unread-answers.ts'

const megabyte = 1_000_000
/** More than the kernel takes for a connection. */
const large = Buffer.alloc(20 * megabyte)
const never = 60 * 60_000

/** Answers 20 MB at /large and a word elsewhere. */
async function serve(limits: { longestMs: number; bytesAtMost: number }) {
  const server = createServer((request, response) =>
    response.end(request.url === '/large' ? large : 'here'),
  )
  limitUnreadAnswers(server, { checkedEveryMs: 10, ...limits })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    /** A client that asks and reads nothing. */
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

it('a client that reads nothing is disconnected after a while; others are answered', async () => {
  const { address, ask } = await serve({ longestMs: 100, bytesAtMost: 1_000 * megabyte })
  const silent = await ask()
  expect(await (await fetch(address)).text()).toBe('here')
  await expect.poll(silent.isCut, { interval: 10 }).toBe(true)
})

it('the oldest unread answers go first when all of them together are too large', async () => {
  const { address, ask } = await serve({ longestMs: never, bytesAtMost: 45 * megabyte })
  const clients = [await ask(), await ask(), await ask(), await ask()]
  const areCut = () => clients.map(({ isCut }) => isCut())
  await expect.poll(areCut, { interval: 10 }).toEqual([true, true, false, false])
  expect((await (await fetch(`${address}/large`)).arrayBuffer()).byteLength).toBe(large.length)
})
