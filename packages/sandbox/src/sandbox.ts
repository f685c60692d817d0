import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { buyerRoutes } from './buyer/routes.ts'
import { forgetOldAnswers } from './card/idempotency.ts'
import { type CardOptions, createCardProvider } from './card/provider.ts'
import { cardRoutes } from './card/routes.ts'
import { sweep as sweepSessions } from './card/sessions.ts'
import { sweep as sweepInvoices } from './crypto/invoice-actions.ts'
import type { CryptoOptions } from './crypto/provider.ts'
import { createCryptoProvider, keepOwnWebhook } from './crypto/provider.ts'
import { cryptoRoutes } from './crypto/routes.ts'
import { pageRoutes } from './pages/routes.ts'
import { openState, type State } from './state.ts'
import { daySeconds } from './time.ts'
import { createCourier } from './webhooks/courier.ts'

export type SandboxOptions = {
  /** The folder of its state. */
  dataDir: string
  /** 0 means any available port. */
  port: number
  card: CardOptions
  crypto: CryptoOptions
  /** The listening server, which also answers malformed HTTP; Node's own by default. */
  createServer?: (handle: RequestListener) => Server
  now?: () => Date
}

export type Sandbox = { url: string; close(): Promise<void> }

const sweepMs = 500
const monthSeconds = 30 * daySeconds

/** Providers of card and crypto payments on this machine, on loopback only. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const now = options.now ?? (() => new Date())
  const seconds = () => Math.floor(now().getTime() / 1_000)
  const state = openState(options.dataDir)
  const courier = createCourier(state, now)
  const { createServer } = options
  const app = Fastify({
    bodyLimit: 1024 * 1024,
    forceCloseConnections: true,
    ...(createServer && { serverFactory: createServer, clientErrorHandler: () => {} }),
  })
  const origin = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  const sharedDeps = { state, courier, seconds, origin }
  const card = createCardProvider({ ...sharedDeps, options: options.card })
  const crypto = createCryptoProvider({ ...sharedDeps, options: options.crypto })

  app.addHttpMethod('DELETE', { hasBody: false, overrideExisting: true })
  app.register(cardRoutes, { prefix: '/v1', provider: card })
  app.register(cryptoRoutes, { prefix: '/api/v1', provider: crypto })
  app.register(buyerRoutes, { prefix: '/sandbox', card, crypto })
  app.register(pageRoutes, { card, crypto })
  // The port is the lock of the folder: a second sandbox ends here, before it writes anything.
  await app.listen({ host: '127.0.0.1', port: options.port })
  state.begin()
  forget(state, seconds())
  keepOwnWebhook(crypto)
  courier.start()
  const sweep = setInterval(() => {
    try {
      sweepSessions(card)
      sweepInvoices(crypto)
    } catch {
      // A full disk must not end the host process; the next round retries.
    }
  }, sweepMs)

  const stop = async () => {
    clearInterval(sweep)
    await app.close()
    await courier.stop()
    state.close()
  }
  let stopped: Promise<void> | undefined
  return {
    url: origin(),
    close() {
      stopped ??= stop()
      return stopped
    },
  }
}

/** Drops expired objects. */
function forget(state: State, now: number): void {
  state.change(() => {
    forgetOldAnswers(state, now)
    for (const kind of ['delivery', 'event', 'message'] as const) {
      for (const { id, created } of state.all(kind)) {
        if (created + monthSeconds <= now) state.remove(kind, id)
      }
    }
  })
}
