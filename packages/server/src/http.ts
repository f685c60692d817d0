import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { Container } from './container.ts'
import { addCommonHeaders } from './platform/http/headers.ts'
import { answerHealth, type Readiness } from './platform/http/health.ts'
import { observeRequests } from './platform/http/observe.ts'
import { type OverloadLimits, shedOverload } from './platform/http/overload.ts'
import { createHttpServer } from './platform/http/server.ts'
import { assertDecodable } from './platform/http/url.ts'
import type { Log } from './platform/log/log.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import { apiSite } from './sites/api/app.ts'
import { answerUnknownPaths, describeFault, sendError } from './sites/api/errors.ts'
import { createFastLookup } from './sites/api/fast-lookup.ts'
import { authSite } from './sites/auth/app.ts'
import { devSite } from './sites/dev/app.ts'
import { webSite } from './sites/web/app.ts'
import { publicAddresses, tryLine } from './welcome.ts'

export type HttpParts = {
  config: Config
  container: Container
  log: Log
  metrics: Metrics
  obstacles: Readiness
  isDraining: () => boolean
  overload: OverloadLimits | undefined
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The whole HTTP side of a process: what its roles serve, at fixed mount points. */
export async function createHttp(parts: HttpParts): Promise<FastifyInstance> {
  const { config, container, log, metrics, obstacles, isDraining } = parts
  const https = config.web_url.startsWith('https:')
  const { records, cacheControl } = container
  const first = config.roles.has('api')
    ? createFastLookup({ records, cacheControl, https, isClosed: isDraining })
    : () => false
  const app = createHttpServer({
    log,
    trustProxy: config.trust_proxy,
    refuse: sendError,
    describe: describeFault,
    first,
  })
  observeRequests(app, metrics)
  addCommonHeaders(app, { https, isDraining })
  app.setErrorHandler(sendError)
  if (!config.roles.has('web')) answerUnknownPaths(app)
  answerHealth(app, obstacles)

  await app.register(async (sites) => {
    sites.addHook('onRequest', async ({ raw }) => assertDecodable(raw.url ?? ''))
    shedOverload(sites, parts.overload)
    const { base_url: baseUrl, web_url: webUrl, loopback, roles } = config
    if (roles.has('api')) {
      const { db, now, apiRoutes: routes } = container
      await sites.register(apiSite, {
        prefix: '/api',
        db,
        now,
        webUrl,
        baseUrl,
        routes,
        build: version,
      })
    }
    if (roles.has('auth')) await sites.register(authSite, { prefix: '/auth', webUrl })
    if (roles.has('web')) await sites.register(webSite, { webUrl, baseUrl, loopback })
    if (roles.has('web') && loopback) {
      const addresses = publicAddresses(config)
      await sites.register(devSite, { prefix: '/dev', webUrl, addresses, example: tryLine(config) })
    }
  })
  return app
}
