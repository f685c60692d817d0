import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify'
import { noteCredential } from '../../../platform/request-id.ts'
import {
  type Access,
  application,
  asksNoScope,
  assertFresh,
  InvalidTokenError,
  isScope,
  mayCall,
  missingCredential,
  type Principal,
  pending,
  refusalOf,
  secondFactorMissing,
} from './rules.ts'
import type { Scope } from './schema.ts'

/** Finds out who holds a credential; throws when nobody does. */
type Verify = (credential: string) => Promise<Principal>
type Verifiers = { token: Verify; apiKey: Verify }

const callers = new WeakMap<FastifyRequest, Principal>()

/** Who calls, on a route that asks for somebody. */
export function callerOf(request: FastifyRequest): Principal {
  const caller = callers.get(request)
  if (!caller) throw new Error('This route does not ask who calls')
  return caller
}

/** Who calls, where nobody has to say. */
export const anyCallerOf = (request: FastifyRequest): Principal | undefined => callers.get(request)

/** Lets nobody through to a route who may not call it. A route that does not say who may stops the start. */
export function guardRoutes(app: FastifyInstance, verifiers: Verifiers): void {
  app.addHook('onRoute', ({ method, url, config }) =>
    assertDeclared(`${method} ${url}`, config ?? {}),
  )
  app.addHook('onRequest', async (request, reply) => {
    const { config } = request.routeOptions
    const access = config.access as Access | undefined
    const isRead = ['GET', 'HEAD'].includes(request.method) || config.readable_everywhere
    if (access !== 'public' || !isRead) reply.header('cache-control', 'no-store')
    if (!access || access === 'public') return
    const caller = await authenticate(request, verifiers).catch((error) => {
      if (access === 'anybody' && error instanceof InvalidTokenError) return undefined
      throw error
    })
    const keyScopes = (config.key_scopes ?? []) as readonly Scope[]
    if (access === 'anybody') {
      const isPerson = caller?.kind === 'session' || caller?.kind === 'api_key'
      const isWhole = isPerson && !caller.lacksSecondFactor
      if (isWhole && mayCall(caller, access, keyScopes)) admit(request, caller)
      return
    }
    if (!caller) {
      if (access === 'optional') return
      throw missingCredential()
    }
    if (caller.kind === 'application') {
      if (!config.for_applications) throw application()
      callers.set(request, caller)
      return
    }
    if (caller.kind === 'pending' && access !== 'any_session') throw pending()
    if (caller.lacksSecondFactor && (caller.key || !config.without_second_factor)) {
      throw secondFactorMissing()
    }
    if (!mayCall(caller, access, keyScopes)) {
      // The route needs no login, so a key without the scope is treated as anonymous.
      if (access === 'optional' && caller.key) return
      throw refusalOf(caller, access, keyScopes)
    }
    if (config.sensitive) assertFresh(caller, config.sensitive)
    admit(request, caller)
  })
}

/** What they do is noted together with what they did it with. */
function admit(request: FastifyRequest, caller: Principal): void {
  callers.set(request, caller)
  if (caller.key) noteCredential({ by_key: caller.key.id })
  else if (caller.session_id) noteCredential({ by_session: caller.session_id })
}

/** A token, a key, or both of the same user; then the token says what they may do. */
async function authenticate({ headers }: FastifyRequest, { token, apiKey }: Verifiers) {
  const bearer = readBearer(headers.authorization)
  const key = headers['x-api-key']
  const byToken = bearer === undefined ? undefined : await token(bearer)
  const byKey = typeof key === 'string' && key !== '' ? await apiKey(key) : undefined
  if (byToken && byKey && byToken.user_id !== byKey.user_id) throw new InvalidTokenError()
  return byToken ?? byKey
}

type Declared = Pick<FastifyContextConfig, 'access' | 'key_scopes' | 'more_scopes'>

function assertDeclared(route: string, { access, key_scopes, more_scopes = [] }: Declared): void {
  if (!access) throw new Error(`${route} does not declare who may call it (config.access).`)
  if (asksNoScope(access as Access) !== (key_scopes !== undefined && key_scopes.length > 0)) {
    throw new Error(`${route} must say what keys need (config.key_scopes) if access is no scope.`)
  }
  const words = ['public', 'anybody', 'optional', 'user', 'session', 'any_session']
  const strange = [
    ...[access].flat().filter((word) => !words.includes(word) && !isScope(word)),
    ...[...(key_scopes ?? []), ...more_scopes].filter((word) => !isScope(word)),
  ]
  if (strange.length > 0) throw new Error(`${route} asks for ${strange}, which is no scope.`)
}

/** Absent when there is none; a header that names Bearer but holds no token is a bad token. */
function readBearer(header: string | undefined): string | undefined {
  if (header === undefined || !/^bearer(\s|$)/i.test(header)) return undefined
  const token = /^bearer +([\w~+/.=-]+) *$/i.exec(header)?.[1]
  if (!token) throw new InvalidTokenError()
  return token
}
