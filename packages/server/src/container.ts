import type { FastifyInstance } from 'fastify'
import { createDirectory } from './features/directory/index.ts'
import { createIdentity } from './features/identity/index.ts'
import { createLootboxWing } from './features/lootboxes/index.ts'
import { createOauthWing } from './features/oauth/index.ts'
import { guardRoutes } from './features/operations/access/index.ts'
import { createOperations } from './features/operations/index.ts'
import { createPartnerWing } from './features/partners/index.ts'
import { createShop } from './features/shop/index.ts'
import type { Parts } from './parts.ts'
import { transact } from './platform/database/database.ts'

export type Container = ReturnType<typeof createContainer>

/** The composition root: every wing is built here, once, in the order of their dependence. */
export function createContainer(given: Omit<Parts, 'announce' | 'authUrl' | 'webUrl'>) {
  const { config, db, sealer } = given
  /** Shown once to the operator who started the service. */
  const notices: string[] = []
  const parts: Parts = {
    ...given,
    authUrl: config.auth_url,
    webUrl: config.web_url,
    announce: (line) => notices.push(line),
  }
  const operations = createOperations(parts)
  const identity = createIdentity({ ...parts, ...operations.services })
  const people = { ...parts, ...operations.services, ...identity.services }
  const directory = createDirectory(people)
  const ids = { ...people, ...directory.services }
  const lootboxes = createLootboxWing(ids)
  const shop = createShop({ ...ids, ...lootboxes.services })
  const partners = createPartnerWing(people)
  const oauth = createOauthWing(ids)

  const { accounts, sessions, apiKeys } = identity.services
  return {
    ...ids,
    ...shop.services,
    ...partners.services,
    ...oauth.services,
    notices,
    keptMessages: operations.keptMessages,
    /** Creates the first administrator unless the address has an account; returns whether it did. */
    createAdmin: ({ email, password }: { email: string; password: string }) =>
      transact(db, (trx) => accounts.createAdmin(trx, email, password)),
    fingerprintKey: sealer.derive('idempotency fingerprints'),
    guardApi: (app: FastifyInstance) =>
      guardRoutes(app, { token: sessions.verifyToken, apiKey: apiKeys.verifyKey }),
    apiRoutes: [
      ...identity.routes,
      ...directory.routes,
      ...shop.routes,
      ...lootboxes.routes,
      ...oauth.routes,
      ...partners.routes,
      ...operations.routes({ ...operations.taskRules, ...shop.taskRules }),
    ],
    jobs: [...operations.jobs, ...identity.jobs, ...directory.jobs, ...shop.jobs, ...oauth.jobs],
    seeds: [
      ...identity.seeds,
      ...directory.seeds,
      ...shop.seeds,
      ...partners.seeds,
      ...oauth.seeds,
      ...lootboxes.seeds,
    ],
    /** Writes what is still in memory, and ends running work. */
    async stop() {
      await directory.stop()
      await identity.services.passwords.stop()
    },
  }
}
