import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Stripe from 'stripe'
import { type SandboxOptions, startSandbox } from '../src/sandbox.ts'

export const cardKeys = { secretKey: 'sk_test_sandbox', webhookSecret: 'whsec_sandbox' }
export const cryptoKeys = { apiKey: 'greenfield-key', storeId: 'store-1', webhookSecret: 'hook' }

type ReceivedRequest = { path: string; headers: IncomingHttpHeaders; body: string }

export type TestSandbox = Awaited<ReturnType<typeof testSandbox>>

/** A sandbox with a separate folder, and a webhook receiver. */
export async function testSandbox(input: { now?: () => Date } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'emojid-sandbox-'))
  const receiver = await startReceiver()
  const options: SandboxOptions = {
    dataDir,
    port: 0,
    ...input,
    card: { ...cardKeys, webhookUrl: `${receiver.url}/card` },
    crypto: { ...cryptoKeys, webhookUrl: `${receiver.url}/crypto` },
  }
  let sandbox = await startSandbox(options)

  const send = async (method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await fetch(sandbox.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json')
    const json = isJson && text ? JSON.parse(text) : undefined
    return { status: answer.status, headers: answer.headers, text, json }
  }
  const authorization = `token ${cryptoKeys.apiKey}`

  return {
    dataDir,
    receiver,
    options,
    url: () => sandbox.url,
    stripe: (secretKey = cardKeys.secretKey) => stripeAt(sandbox.url, secretKey),
    send,
    /** An action of a buyer. */
    act: (path: string, body: object = {}) => send('POST', `/sandbox${path}`, body),
    /** BTCPay's API. */
    greenfield: (method: string, path: string, body?: unknown) =>
      send(method, `/api/v1${path}`, body, { authorization }),
    async restart(between: () => Promise<void> = async () => {}) {
      await sandbox.close()
      await between()
      sandbox = await startSandbox(options)
    },
    async close() {
      await sandbox.close()
      await receiver.close()
      await rm(dataDir, { recursive: true })
    },
  }
}

function stripeAt(url: string, secretKey: string): Stripe {
  const { hostname: host, port } = new URL(url)
  const telemetry = false
  return new Stripe(secretKey, { host, port, protocol: 'http', maxNetworkRetries: 0, telemetry })
}

/** Accepts webhooks, or refuses them on command. */
async function startReceiver() {
  const received: ReceivedRequest[] = []
  const refusals: number[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    received.push({ path: request.url ?? '', headers: request.headers, body })
    response.writeHead(refusals.shift() ?? 200).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** The statuses of the next responses. */
    refuse: (...statuses: number[]): void => void refusals.push(...statuses),
    typesAt: (path: string): string[] =>
      received.filter((one) => one.path === path).map(({ body }) => JSON.parse(body).type),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

export const item = (unit_amount: number, currency = 'usd') => ({
  quantity: 1,
  price_data: { currency, unit_amount, product_data: { name: 'An emoji id' } },
})

export const urls = {
  success_url: 'http://localhost:3000/done?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'http://localhost:3000/back',
}
