import type { FastifyInstance, FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { anyCallerOf } from '../../features/operations/access/access.ts'
import type { Sealer } from '../../platform/crypto/seal.ts'
import { readBodies } from '../../platform/http/api/bodies.ts'
import { openPublicReads } from '../../platform/http/api/cors.ts'
import { createFirstUse } from '../../platform/http/api/first-use.ts'
import { honourIdempotencyKeys } from '../../platform/http/api/idempotency/plugin.ts'
import type { Tables as IdempotencyTables } from '../../platform/http/api/idempotency/repository.ts'
import { serializeInParts, serializeOnFirstUse } from '../../platform/http/api/serialization.ts'
import { validateStrictly } from '../../platform/http/api/validation.ts'
import { tagPublicReads } from '../../platform/http/etag.ts'
import { countCosts } from '../../platform/http/limits.ts'
import { networkOf } from '../../platform/http/network.ts'
import type { KnownMethods } from '../../platform/http/server/methods.ts'
import { answerUnknownPaths, renderError, sendError } from './errors.ts'
import { type ApiDescription, describeApi, serveDescription } from './openapi.ts'
import { acceptSpellings } from './spellings.ts'

export type ApiOptions = ApiDescription & {
  guard: (app: FastifyInstance) => void
  methods: KnownMethods
  /** Rejects requests that may not call their route. */
  guardRoutes: (app: FastifyInstance) => void
  /** Adds the CSV exports of lists. */
  exportLists: (app: FastifyInstance) => void
  db: Kysely<IdempotencyTables>
  fingerprintKey: Buffer
  sealer: Sealer
  now: () => Date
  webUrl: string
  routes: readonly FastifyPluginAsync[]
}

/** {base_url}: the API for wallets and our own clients. */
export async function apiSite(app: FastifyInstance, options: ApiOptions): Promise<void> {
  app.setErrorHandler(sendError)
  answerUnknownPaths(app, options.methods)
  openPublicReads(app, new URL(options.webUrl).origin)
  options.guard(app)
  readBodies(app)
  const shapes = createFirstUse()
  validateStrictly(app, shapes)
  await serializeOnFirstUse(app, shapes)
  if (options.warmsUp) shapes.compileInPauses(app)
  serializeInParts(app)
  await describeApi(app, options)
  await app.register(async (guarded) => {
    options.guardRoutes(guarded)
    acceptSpellings(guarded)
    tagPublicReads(guarded)
    const callerOf = (request: FastifyRequest) =>
      anyCallerOf(request)?.user_id ?? `anonymous ${networkOf(request.ip)}`
    honourIdempotencyKeys(guarded, { ...options, callerOf, render: renderError })
    countCosts(guarded, 'api')
    options.exportLists(guarded)
    for (const routes of options.routes) await guarded.register(routes)
  })
  await serveDescription(app, options)
}
