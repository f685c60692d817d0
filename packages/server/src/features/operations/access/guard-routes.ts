import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import { type Budget, createBudget } from '../../../platform/http/limits.ts'
import { networkOf } from '../../../platform/http/network.ts'
import { noteCredential } from '../../../platform/request-id.ts'
import {
  type Access,
  assertFresh,
  InvalidTokenError,
  isScope,
  mayCall,
  missingCredential,
  missingSecondFactor,
  needsNoScope,
  notForApplications,
  type Principal,
  pendingSecondFactor,
  refusalOf,
} from './rules.ts'
import type { Scope } from './schema.ts'

/** Returns the holder of a credential; throws if it is not valid. */
type Verify = (credential: string) => Promise<Principal>
type Verifiers = { token: Verify; apiKey: Verify }

/** In tenths of a millisecond of CPU, with the work of PostgreSQL. Refused requests cost the check of their credentials. */
const costs = { credentials: 20, read: 50, change: 120 }

/**
 * Requests with credentials: a network has a burst of ten seconds, then 0.3 of a core. That is 2,000
 * reads or 830 changes at once, then 60 or 25 a second.
 */
export const createWorkBudget = () =>
  createBudget('work', {
    each: { atOnce: 100_000, perSecond: 3_000 },
    all: { atOnce: 300_000, perSecond: 8_000 },
  })

/** For routes that read more than one page of a list. */
export const countRead = (work: Budget, network: string): void => work.take(network, costs.read)

const callers = new WeakMap<FastifyRequest, Principal>()

/** The caller of a route that requires a sign-in. */
export function callerOf(request: FastifyRequest): Principal {
  const caller = callers.get(request)
  if (!caller) throw new Error('This route does not authenticate its caller')
  return caller
}

/** The key of limits that count for each account. */
export const userOf = (request: FastifyRequest): string => callerOf(request).user_id

/** The caller of a route that does not require a sign-in. */
export const anyCallerOf = (request: FastifyRequest): Principal | undefined => callers.get(request)

/**
 * Checks the access of every request, and limits requests with credentials by cost. A route without
 * declared access stops the start.
 */
export function guardRoutes(app: FastifyInstance, verifiers: Verifiers, work: Budget): void {
  app.addHook('onRoute', ({ method, url, config }) =>
    assertDeclared(`${method} ${url}`, config ?? {}),
  )
  // Invalid credentials count too: refusing them takes a query.
  app.addHook('onRequest', async ({ ip, headers, routeOptions }) => {
    if (routeOptions.config.access === 'public' || !hasCredentials(headers)) return
    work.spend(networkOf(ip), costs.credentials)
  })
  app.addHook('onRequest', async (request, reply) => {
    const { config } = request.routeOptions
    const access = config.access as Access | undefined
    const isRead = isReading(request)
    if (access !== 'public' || !isRead) reply.header('cache-control', 'no-store')
    if (!access || access === 'public') return
    const caller = await authenticate(request, verifiers).catch((error) => {
      if (access === 'anybody' && error instanceof InvalidTokenError) return undefined
      throw error
    })
    const keyScopes = (config.key_scopes ?? []) as readonly Scope[]
    if (access === 'anybody') {
      const isPerson = caller?.kind === 'session' || caller?.kind === 'api_key'
      const isAuthenticated = isPerson && !caller.lacksSecondFactor
      if (isAuthenticated && mayCall(caller, access, keyScopes)) admit(request, caller)
      return
    }
    if (!caller) {
      if (access === 'optional') return
      throw missingCredential()
    }
    if (caller.kind === 'application') {
      if (!config.for_applications) throw notForApplications()
      callers.set(request, caller)
      return
    }
    if (caller.kind === 'pending' && access !== 'any_session') throw pendingSecondFactor()
    if (caller.lacksSecondFactor && (caller.key || !config.without_second_factor)) {
      throw missingSecondFactor()
    }
    if (!mayCall(caller, access, keyScopes)) {
      // The route requires no sign-in, so treat a key without the scope as anonymous.
      if (access === 'optional' && caller.key) return
      throw refusalOf(caller, access, keyScopes)
    }
    if (config.sensitive) assertFresh(caller, config.sensitive)
    admit(request, caller)
  })
  app.addHook('onRequest', async (request) => {
    if (!callers.has(request)) return
    work.take(networkOf(request.ip), costOf(request) - costs.credentials)
  })
}

const isReading = ({ method, routeOptions }: FastifyRequest): boolean =>
  ['GET', 'HEAD'].includes(method) || routeOptions.config.readable_everywhere === true

/** The cost of an admitted request. Routes with a budget of their own count the rest there. */
function costOf(request: FastifyRequest): number {
  if (request.routeOptions.config.cost) return costs.credentials
  return isReading(request) ? costs.read : costs.change
}

/** Records the credential for audit entries of this request. */
function admit(request: FastifyRequest, caller: Principal): void {
  callers.set(request, caller)
  if (caller.key) noteCredential({ by_key: caller.key.id })
  else if (caller.session_id) noteCredential({ by_session: caller.session_id })
}

const hasCredentials = ({ authorization, 'x-api-key': key }: IncomingHttpHeaders): boolean =>
  authorization !== undefined || (key !== undefined && key !== '')

/** Accepts a token, a key, or both of the same user; the token takes precedence. */
async function authenticate({ headers }: FastifyRequest, { token, apiKey }: Verifiers) {
  const bearer = readBearer(headers.authorization)
  const key = headers['x-api-key']
  const byToken = bearer === undefined ? undefined : await token(bearer)
  const byKey = typeof key === 'string' && key !== '' ? await apiKey(key) : undefined
  if (byToken && byKey && byToken.user_id !== byKey.user_id) throw new InvalidTokenError()
  return byToken ?? byKey
}

type RouteAccess = Pick<FastifyContextConfig, 'access' | 'key_scopes' | 'more_scopes'>

function assertDeclared(
  route: string,
  { access, key_scopes, more_scopes = [] }: RouteAccess,
): void {
  if (!access) throw new Error(`${route} does not declare who may call it (config.access).`)
  if (needsNoScope(access as Access) !== (key_scopes !== undefined && key_scopes.length > 0)) {
    throw new Error(`${route} must declare config.key_scopes exactly if its access is not a scope.`)
  }
  const words = ['public', 'anybody', 'optional', 'user', 'session', 'any_session']
  const unknown = [
    ...[access].flat().filter((word) => !words.includes(word) && !isScope(word)),
    ...[...(key_scopes ?? []), ...more_scopes].filter((word) => !isScope(word)),
  ]
  if (unknown.length > 0) throw new Error(`${route} requires unknown scopes: ${unknown}.`)
}

/** Returns undefined without a Bearer header; throws if the header holds no token. */
function readBearer(header: string | undefined): string | undefined {
  if (header === undefined || !/^bearer(\s|$)/i.test(header)) return undefined
  const token = /^bearer +([\w~+/.=-]+) *$/i.exec(header)?.[1]
  if (!token) throw new InvalidTokenError()
  return token
}
