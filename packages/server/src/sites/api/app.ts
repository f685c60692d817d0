import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { Kysely } from 'kysely'
import { readBodies } from '../../platform/http/bodies.ts'
import { openPublicReads } from '../../platform/http/cors.ts'
import { tagPublicReads } from '../../platform/http/etag.ts'
import { honourIdempotencyKeys } from '../../platform/http/idempotency/plugin.ts'
import type { Tables as IdempotencyTables } from '../../platform/http/idempotency/repository.ts'
import { limitRates } from '../../platform/http/rate-limits.ts'
import { validateStrictly } from '../../platform/http/validation.ts'
import { requireDeclaredAccess } from './access.ts'
import { answerUnknownPaths, renderError, sendError } from './errors.ts'
import { type ApiDescription, describeApi, serveDescription } from './openapi.ts'

export type ApiOptions = ApiDescription & {
  guard: (app: FastifyInstance) => void
  db: Kysely<IdempotencyTables>
  now: () => Date
  webUrl: string
  routes: readonly FastifyPluginAsync[]
}

/** {base_url}: what wallets and our own clients call. */
export async function apiSite(app: FastifyInstance, options: ApiOptions): Promise<void> {
  app.setErrorHandler(sendError)
  answerUnknownPaths(app)
  openPublicReads(app, new URL(options.webUrl).origin)
  options.guard(app)
  readBodies(app)
  validateStrictly(app)
  await limitRates(app)
  await describeApi(app, options)
  await app.register(async (guarded) => {
    requireDeclaredAccess(guarded)
    tagPublicReads(guarded)
    honourIdempotencyKeys(guarded, { ...options, callerOf: () => 'anonymous', render: renderError })
    for (const routes of options.routes) await guarded.register(routes)
  })
  await serveDescription(app, options)
}
