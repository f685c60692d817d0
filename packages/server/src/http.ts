import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import type { Container } from './container.ts'
import { demoApplication } from './demo/application.ts'
import type { DatabaseMonitor } from './platform/database/monitor.ts'
import type { Replica } from './platform/database/replica/replica.ts'
import { isForPeople, sendWrongAddress, wrongAddressPage } from './platform/http/pages/pages.ts'
import { addCommonHeaders } from './platform/http/server/headers.ts'
import { answerHealth, observeRequests, type Readiness } from './platform/http/server/health.ts'
import { knownMethods } from './platform/http/server/methods.ts'
import {
  createOverloadGate,
  createShedding,
  type OverloadLimits,
} from './platform/http/server/overload.ts'
import { createHttpServer } from './platform/http/server/server.ts'
import { assertProperRequest } from './platform/http/server/url.ts'
import type { Log } from './platform/log/log.ts'
import type { Metrics } from './platform/metrics/metrics.ts'
import { apiSite } from './sites/api/app.ts'
import { answerUnknownPaths, describeFault, sendError } from './sites/api/errors.ts'
import { createFastLookup, lookupPrefix } from './sites/api/fast-lookup.ts'
import { authSite } from './sites/auth/app.ts'
import { placeAtRoot, serveMetadata } from './sites/auth/metadata.ts'
import { devSite } from './sites/dev/app.ts'
import { webSite } from './sites/web/app.ts'
import { mailPageUrl, publicAddresses, tryLine } from './welcome.ts'

export type HttpParts = {
  config: Config
  container: Container
  log: Log
  metrics: Metrics
  obstacles: Readiness
  replica: Pick<Replica, 'state'> | undefined
  standby: DatabaseMonitor['standby']
  isDraining: () => boolean
  /** The name of one of several processes. */
  process: string | undefined
  overload: OverloadLimits | undefined
  /** Multiplies the time limits of requests. */
  patience: number
  warmsUp: boolean
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The HTTP side of a process: the sites of its roles at fixed mount points. */
export async function createHttp(parts: HttpParts): Promise<FastifyInstance> {
  const { config, container, log, metrics, obstacles, isDraining, replica, standby } = parts
  const https = config.web_url.startsWith('https:')
  const pageFor = (target: string, accept: string | undefined) =>
    config.roles.has('web') && isForPeople(target, accept)
      ? wrongAddressPage(config.web_url)
      : undefined
  const otherPaths = new Set<string>()
  const front = config.roles.has('api')
    ? {
        prefix: lookupPrefix,
        answer: createFastLookup({
          records: container.records,
          cacheControl: container.cacheControl,
          https,
          otherPaths,
          isClosed: isDraining,
          count: metrics.countShortLookup,
          observe: (route, status, seconds) =>
            metrics.requests.observe({ method: 'GET', route, status }, seconds),
        }),
      }
    : undefined
  const app = createHttpServer({
    log,
    trustProxy: config.trust_proxy,
    patience: parts.patience,
    describe: describeFault,
    pageFor,
    front,
    refuse(error, request, reply) {
      const page = pageFor(request.url, request.headers.accept)
      return page ? sendWrongAddress(reply, page) : sendError(error, request, reply)
    },
  })
  app.addHook('onRoute', ({ url }) => {
    const [, below] = /^\/api\/emoji_id\/:\w+\/([^:/]+)$/.exec(url) ?? []
    if (below !== undefined) otherPaths.add(below)
  })
  app.server.prependListener('connection', destroyIfReset)
  const methods = knownMethods(app)
  observeRequests(app, metrics)
  addCommonHeaders(app, { https, isDraining, links: config.links })
  app.setErrorHandler(sendError)
  if (!config.roles.has('web')) answerUnknownPaths(app, methods)
  const shedding = createShedding()
  answerHealth(app, obstacles, () => {
    const state = standby()
    const shedding_seconds = shedding.seconds()
    return {
      ...(parts.process === undefined ? {} : { process: parts.process }),
      // Still ready: without this process its share of an attack would overload the next one.
      ...(shedding_seconds > 0 ? { overload: { shedding_seconds } } : {}),
      ...(state ? { database: { state: 'read-only', ...state } } : {}),
      ...(replica ? { replica: replica.state() } : {}),
    }
  })

  const shed = createOverloadGate(app, parts.overload, () => {
    shedding.note()
    metrics.countShed()
  })
  /** Runs before every route of a site, after the headers that refusals need too. */
  const guard = (site: FastifyInstance) => {
    site.addHook('onRequest', async ({ raw, routeOptions }) =>
      assertProperRequest(raw, { anyQuery: routeOptions.config.any_query === true }),
    )
    shed(site)
  }
  const { base_url: baseUrl, web_url: webUrl, has_dev_pages, roles } = config
  if (roles.has('api')) {
    const { db, now, apiRoutes: routes, guardApi: guardRoutes, fingerprintKey, sealer } = container
    const { exportLists } = container
    const build: string = version
    const options = {
      guard,
      guardRoutes,
      exportLists,
      fingerprintKey,
      sealer,
      db,
      now,
      webUrl,
      baseUrl,
      routes,
      build,
      warmsUp: parts.warmsUp,
    }
    await app.register(apiSite, { prefix: '/api', methods, ...options })
  }
  if (roles.has('auth')) {
    const authUrl = config.auth_url
    const { authorization, delays, edits, emojiIds, interests, mailbox } = container
    const { purchases, grants, clients, recovery } = container
    const { jwks } = container.sessions
    await app.register(authSite, {
      purchases,
      recovery,
      mailPageUrl: mailPageUrl(config),
      prefix: '/auth',
      guard,
      methods,
      webUrl,
      authUrl,
      apiUrl: baseUrl,
      jwks,
      authorization,
      delays,
      edits,
      emojiIds,
      interests,
      mailbox,
      grants,
      clients,
    })
    serveMetadata(app, { authUrl, apiUrl: baseUrl }, placeAtRoot(authUrl))
  }
  if (roles.has('web')) {
    const { catalog, branding, emojiIds, pictures, records, sealer, store, webSessions } = container
    const { abuseReports, login: signIns, passkeys, transfers } = container
    const { auth_url: authUrl, free_ceiling_cents: freeCeiling } = config
    await app.register(webSite, {
      guard,
      methods,
      webUrl,
      baseUrl,
      authUrl,
      freeCeiling,
      companyFee: config.company_fee_percent,
      mailPageUrl: mailPageUrl(config),
      captcha: config.recaptcha?.widget,
      links: config.links,
      security: config.security,
      company: config.company,
      abuseReports,
      login: signIns,
      passkeys,
      transfers,
      cacheControl: container.cacheControl,
      appealsEmail: config.appeals_email,
      emojiIds,
      branding,
      sealer,
      webSessions,
      now: container.now,
      ids: { catalog, emojiIds, pictures, records, store },
    })
  }
  if (roles.has('web') && has_dev_pages) {
    const addresses = publicAddresses(config)
    const example = tryLine(config)
    const messages = container.capturedMessages
    const login = { ...demoApplication, authUrl: config.auth_url, apiUrl: baseUrl }
    const options = { guard, methods, webUrl, addresses, example, messages, login }
    await app.register(devSite, { prefix: '/dev', ...options })
  }
  return app
}

/**
 * Closes a connection that its client reset before it was accepted: without an address, its requests
 * would not count in the limits of its network. Node keeps an address that was read once.
 */
function destroyIfReset(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
}
