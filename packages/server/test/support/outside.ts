import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isPublicAddress } from '../../src/platform/outside/addresses.ts'
import type { FetcherOptions } from '../../src/platform/outside/reach.ts'

/** A third-party web server on this machine, which records its requests. */
export async function webServer(listener: RequestListener, wantedPort = 0) {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(wantedPort, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    asked: requests,
    port,
    address: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** A test name server. Unlisted names do not resolve. */
export const namesOf =
  (names: Record<string, string[]>): NonNullable<FetcherOptions['resolve']> =>
  async (hostname) =>
    names[hostname] ?? []

/** The rules of the service, plus one allowed port of this machine. */
export const allowPorts = (...ports: number[]): FetcherOptions => ({
  mayReach: (address, { port }) =>
    (address === '127.0.0.1' && ports.includes(Number(port))) ||
    (port === '' && isPublicAddress(address)),
  patienceMs: 1_500,
  leastRefusalMs: 0,
})
