import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@emojid/sandbox'
import { createPlainServer } from '../../src/platform/http/server/connections.ts'

const card = { secretKey: 'sk_test_gateway', webhookSecret: 'whsec_gateway' }
const crypto = { apiKey: 'gateway-key', storeId: 'store-1', webhookSecret: 'gateway-hook' }

type ReceivedWebhook = { body: Buffer; headers: IncomingHttpHeaders }

export type TestProviders = Awaited<ReturnType<typeof testProviders>>

/** The sandbox providers and a receiver for their webhooks, for tests of the gateways alone. */
export async function testProviders({ version = '2.0.0' }: { version?: string } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'emojid-providers-'))
  const receivedWebhooks = { card: [] as ReceivedWebhook[], crypto: [] as ReceivedWebhook[] }
  const receiver = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const webhooks = request.url === '/card' ? receivedWebhooks.card : receivedWebhooks.crypto
    webhooks.push({ body: Buffer.concat(parts), headers: request.headers })
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
  const clock = { ahead_ms: 0 }
  const now = () => new Date(Date.now() + clock.ahead_ms)
  const sandbox = await startSandbox({
    dataDir,
    port: 0,
    now,
    createServer: createPlainServer,
    card: { ...card, webhookUrl: `${hooks}/card` },
    crypto: { ...crypto, version, webhookUrl: `${hooks}/crypto` },
  })

  return {
    url: sandbox.url,
    card,
    crypto,
    taken: receivedWebhooks,
    clock,
    now,
    /** Actions of buyers, banks and networks. */
    async act(path: string, body: object = {}) {
      const answer = await fetch(`${sandbox.url}/sandbox${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${path}.`)
      return answer.json()
    },
    /** BTCPay's API, for calls that the gateway does not make. */
    async greenfield(method: string, path: string, body?: object) {
      const answer = await fetch(`${sandbox.url}/api/v1${path}`, {
        method,
        headers: { authorization: `token ${crypto.apiKey}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return answer.json()
    },
    async close() {
      await sandbox.close()
      receiver.closeAllConnections()
      await new Promise((resolve) => receiver.close(resolve))
      await rm(dataDir, { recursive: true })
    },
  }
}
