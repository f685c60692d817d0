import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request to a provider, and its response. */
export type Exchange = {
  method: string
  path: string
  query: string
  sent: string
  status: number
  answered: string
}

/** Response headers that the gateways read. */
const passedOn = ['content-type', 'idempotent-replayed', 'request-id', 'stripe-should-retry']

/** A proxy between a gateway and a provider that records the traffic. */
export async function startRecorder(target: string) {
  const exchanges: Exchange[] = []
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts)
    const { host: _host, connection: _connection, ...headers } = request.headers
    const method = request.method ?? ''
    const answer = await fetch(target + request.url, {
      method,
      headers: headers as Record<string, string>,
      body: body.length > 0 ? body : null,
    })
    const answerText = await answer.text()
    const { pathname, search } = new URL(request.url ?? '', target)
    const { status } = answer
    exchanges.push({
      method,
      path: pathname,
      query: search.slice(1),
      sent: body.toString(),
      status,
      answered: answerText,
    })
    const passedHeaders = passedOn.flatMap((name): [string, string][] => {
      const value = answer.headers.get(name)
      return value === null ? [] : [[name, value]]
    })
    response.writeHead(status, Object.fromEntries(passedHeaders))
    response.end(answerText)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
