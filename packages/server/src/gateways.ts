import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from './config.ts'
import { createPlainServer } from './platform/http/server/connections.ts'
import type { Log } from './platform/log/log.ts'
import type { Gateways } from './platform/payments/gateway.ts'
import { generatedSecret } from './platform/secrets/generated.ts'

type Options = {
  config: Config
  log: Log
  patience: number
  /** False in processes that use the sandbox of another one. */
  runsSandbox: boolean
}
type Providers = { gateways: Gateways; close(): Promise<void> }

/** Opens the configured payment providers, or the sandbox in the demonstration. */
export async function openGateways(options: Options): Promise<Providers> {
  const { config, log, patience } = options
  const { stripe, btcpay, sandbox_port } = config
  if (sandbox_port !== undefined) return openSandbox(options, sandbox_port)
  if (!stripe && !btcpay) return { gateways: {}, close: async () => {} }
  const { createCardGateway, createCryptoGateway, assertBtcpayVersion } = await loadGateways()
  const card =
    stripe &&
    createCardGateway({
      secretKey: stripe.secret_key,
      webhookSecret: stripe.webhook_secret,
      apiUrl: stripe.api_url,
      patience,
    })
  const server = btcpay && {
    url: btcpay.url,
    apiKey: btcpay.api_key,
    storeId: btcpay.store_id,
    webhookSecret: btcpay.webhook_secret,
    patience,
  }
  if (server) await assertBtcpayVersion(server, log)
  const crypto = server && createCryptoGateway(server)
  return { gateways: { card, crypto }, close: async () => {} }
}

async function openSandbox(
  { config: { data_dir, base_url }, patience, runsSandbox }: Options,
  port: number,
): Promise<Providers> {
  const secret = (name: string) =>
    generatedSecret(data_dir, `sandbox-${name}`, () => randomBytes(24).toString('hex'))
  const card = {
    secretKey: `sk_test_${await secret('card-key')}`,
    webhookSecret: `whsec_${await secret('card-webhooks')}`,
  }
  const crypto = {
    apiKey: await secret('crypto-key'),
    storeId: 'sandbox',
    webhookSecret: await secret('crypto-webhooks'),
  }
  const hooks = `${base_url}/webhooks`
  // The sandbox code is not loaded with real providers.
  const { startSandbox } = await import('@emojid/sandbox')
  const sandbox = runsSandbox
    ? await startSandbox({
        dataDir: join(data_dir, 'sandbox'),
        port,
        createServer: createPlainServer,
        card: { ...card, webhookUrl: `${hooks}/card` },
        crypto: { ...crypto, webhookUrl: `${hooks}/crypto` },
      })
    : undefined
  const url = `http://127.0.0.1:${port}`
  const { createCardGateway, createCryptoGateway } = await loadGateways()
  return {
    gateways: {
      card: createCardGateway({ ...card, apiUrl: url, patience }),
      crypto: createCryptoGateway({ ...crypto, url, patience }),
    },
    close: async () => sandbox?.close(),
  }
}

/** Loaded on demand: the import takes 200 ms. */
async function loadGateways() {
  const { createCardGateway } = await import('./platform/payments/card.ts')
  const { createCryptoGateway } = await import('./platform/payments/crypto.ts')
  const { assertBtcpayVersion } = await import('./platform/payments/crypto-version.ts')
  return { createCardGateway, createCryptoGateway, assertBtcpayVersion }
}
