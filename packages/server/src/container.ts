import type { FastifyInstance } from 'fastify'
import { createDirectoryWing } from './features/directory/index.ts'
import { createIdentityWing } from './features/identity/index.ts'
import { createLootboxesWing } from './features/lootboxes/index.ts'
import { createOauthWing } from './features/oauth/index.ts'
import {
  callerOf,
  countRead,
  createWorkBudget,
  guardRoutes,
} from './features/operations/access/access.ts'
import { createOperationsWing } from './features/operations/index.ts'
import { createPartnersWing } from './features/partners/index.ts'
import { createPeopleWing } from './features/people/index.ts'
import { createShopWing } from './features/shop/index.ts'
import type { Parts } from './parts.ts'
import { transact } from './platform/database/database.ts'
import { exportLists } from './platform/http/api/list-exports.ts'
import { networkOf } from './platform/http/network.ts'

export type Container = ReturnType<typeof createContainer>

/** The composition root: builds every feature once, in the order of dependencies. */
export function createContainer(input: Omit<Parts, 'appealsEmail' | 'authUrl' | 'webUrl'>) {
  const { config, db, sealer } = input
  const parts: Parts = {
    ...input,
    authUrl: config.auth_url,
    webUrl: config.web_url,
    appealsEmail: config.appeals_email,
  }
  const operations = createOperationsWing(parts)
  const identity = createIdentityWing({ ...parts, ...operations.services })
  const accountParts = { ...parts, ...operations.services, ...identity.services }
  const directory = createDirectoryWing(accountParts)
  const ids = { ...accountParts, ...directory.services }
  const people = createPeopleWing(ids)
  const lootboxes = createLootboxesWing(ids)
  const shop = createShopWing({ ...ids, ...people.services, ...lootboxes.services })
  const partners = createPartnersWing({ ...accountParts, ...people.services })
  const oauth = createOauthWing(ids)

  const { accounts, sessions, apiKeys } = identity.services
  const work = createWorkBudget()
  return {
    ...ids,
    ...shop.services,
    ...partners.services,
    ...oauth.services,
    capturedMessages: operations.capturedMessages,
    /** Creates the first administrator unless the address has an account; returns whether it did. */
    createAdmin: ({ email, password }: { email: string; password: string }) =>
      transact(db, (trx) => accounts.createAdmin(trx, email, password)),
    fingerprintKey: sealer.derive('idempotency fingerprints'),
    sealer,
    guardApi: (app: FastifyInstance) =>
      guardRoutes(app, { token: sessions.verifyToken, apiKey: apiKeys.verifyKey }, work),
    exportLists: (app: FastifyInstance) =>
      exportLists(app, {
        countPage: ({ ip }) => countRead(work, networkOf(ip)),
        record: (request, details) =>
          operations.services.audit.writeEntry(db, 'list.exported', {
            actor_id: callerOf(request).user_id,
            details,
          }),
      }),
    apiRoutes: [
      ...identity.routes,
      ...people.routes,
      ...directory.routes,
      ...shop.routes,
      ...lootboxes.routes,
      ...oauth.routes,
      ...partners.routes,
      ...operations.eventRoutes,
      ...operations.accountRoutes,
      ...operations.routes({ ...operations.taskRules, ...shop.taskRules }),
      ...shop.reportRoutes,
    ],
    jobs: [
      ...operations.jobs,
      ...identity.jobs,
      ...directory.jobs,
      ...shop.jobs,
      ...partners.jobs,
      ...oauth.jobs,
    ],
    seeds: [
      ...identity.seeds,
      ...directory.seeds,
      ...shop.seeds,
      ...partners.seeds,
      ...oauth.seeds,
      ...lootboxes.seeds,
    ],
    /** Writes buffered data and stops running work. */
    async stop() {
      await operations.stop()
      await directory.stop()
      await identity.services.passwords.stop()
    },
  }
}
