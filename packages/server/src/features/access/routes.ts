import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Access, Principal } from './rules.ts'
import {
  InvalidTokenError,
  isScope,
  MissingCredentialError,
  MissingScopeError,
  mayCall,
} from './rules.ts'

/** Finds out who holds an access token; throws when nobody does. */
type VerifyToken = (token: string) => Promise<Principal>

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
export function guardRoutes(app: FastifyInstance, verify: VerifyToken): void {
  app.addHook('onRoute', ({ method, url, config }) =>
    assertDeclared(String(method), url, config?.access),
  )
  app.addHook('onRequest', async (request, reply) => {
    const access = request.routeOptions.config.access as Access | undefined
    if (!access || access === 'public') return
    reply.header('cache-control', 'no-store')
    const token = readBearer(request.headers.authorization)
    if (token === undefined) {
      if (access === 'optional') return
      throw new MissingCredentialError()
    }
    const caller = await verify(token)
    if (!mayCall(caller, access)) throw new MissingScopeError([access].flat() as never)
    callers.set(request, caller)
  })
}

function assertDeclared(
  method: string,
  url: string,
  access: string | readonly string[] | undefined,
): void {
  const route = `${method} ${url}`
  if (!access) throw new Error(`${route} does not declare who may call it (config.access).`)
  const words = ['public', 'optional', 'user']
  const strange = [access].flat().filter((word) => !words.includes(word) && !isScope(word))
  if (strange.length > 0) throw new Error(`${route} asks for ${strange}, which is no scope.`)
}

/** Absent when there is none; a header that names Bearer but holds no token is a bad token. */
function readBearer(header: string | undefined): string | undefined {
  if (header === undefined || !/^bearer(\s|$)/i.test(header)) return undefined
  const token = /^bearer +([\w~+/.=-]+) *$/i.exec(header)?.[1]
  if (!token) throw new InvalidTokenError()
  return token
}
