import fastify from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { createWorkBudget, guardRoutes } from '../src/features/operations/access/access.ts'
import { collectRoutes, contract, operationsOf, shapeOf, userScopes } from './support/access.ts'
import { suspendableRequests, withoutSuspension } from './support/open-routes.ts'
import { routesOf } from './support/routes.ts'
import { testService } from './support/service.ts'

const { routes, override } = collectRoutes()
const service = await testService({ override })
afterAll(() => service.close())

/** Public although the contract lists a token: an expired token must not stop a payment. */
const deliberatelyPublic = [
  ...['', '/{}', '/metadata', '/rhythm', '/payment', '/json', '/json/{}'].map(
    (end) => `GET /emoji_id/{}${end}`,
  ),
  'GET /emoji',
  'GET /redirect',
  'GET /organizations/{}/branding',
  'GET /nft_transfers/metadata/{}',
]

/** The error body of the public lookup has one member. */
const lookupEnds = ['/payment']

type Exception = { asked: string | string[]; declared: string | string[] }
/** Second factors belong to a person, never to a key. */
const forPeople: Record<string, Exception> = {
  'POST /account/2fa': { asked: 'user', declared: 'session' },
  'POST /account/2fa/enable': { asked: 'user', declared: 'session' },
  'POST /account/2fa/confirm': { asked: 'user', declared: 'session' },
  'POST /account/2fa/disable': { asked: 'user', declared: 'session' },
  'POST /account/2fa/sms_code': { asked: 'user', declared: 'any_session' },
}
/** The scope covers ids of other users. The service checks the owner. */
const forOwners: Record<string, Exception> = {
  'PATCH /emoji_id/{}': { asked: 'adminEmoji:write', declared: 'user' },
  'POST /emoji_id/{}/json/{}': { asked: 'adminEmoji:write', declared: 'user' },
}
/** Any account may read itself. The scope covers other accounts. */
const forSelf: Record<string, Exception> = {
  'GET /users/{}': { asked: 'user:show', declared: ['user:show', 'user:writeSelf'] },
  'GET /users/{}/pubkeys': {
    asked: 'userPubkeys:list',
    declared: ['user:writeSelf', 'userPubkeys:list'],
  },
}
/** Every user has these scopes. A key made without them does not. */
const forKeysMadeForIt: Record<string, Exception> = {
  'POST /pubkeys': { asked: 'user', declared: 'user:writeSelf' },
  'POST /pubkeys/{}': { asked: 'user', declared: 'user:writeSelf' },
  'POST /wallets': { asked: 'user', declared: 'user:writeSelf' },
  'GET /api_keys': { asked: 'user', declared: 'user:createApiKey' },
  'GET /transfers': { asked: 'user', declared: 'emoji::transfer' },
  'GET /transfers/incoming': { asked: 'user', declared: 'emoji::transfer' },
  'DELETE /api_keys/{}': { asked: 'user', declared: 'user:createApiKey' },
  'DELETE /transfers/{}': { asked: 'user', declared: 'emoji::transfer' },
  'POST /transfers/{}/sender_accept': { asked: 'user', declared: 'emoji::transfer' },
  'POST /transfers/{}/receiver_accept': { asked: 'user', declared: 'emoji::transfer' },
  'POST /transfers/{}/resend_code': { asked: 'user', declared: 'emoji::transfer' },
}
/** Shipped clients call these without a token. A valid token makes the response personal. */
const forAnybody: Record<string, Exception> = {
  'GET /emoji_id/search': { asked: 'user', declared: 'anybody' },
  'GET /emoji_id/random': { asked: 'user', declared: 'anybody' },
  'GET /emoji_id/recent': { asked: 'user', declared: 'anybody' },
}
/** A membership may give the scope. The service checks the organization. */
const forMembers: Record<string, Exception> = {
  'PUT /organizations/{}/branding': { asked: 'organization:write', declared: 'user' },
  'GET /codes': { asked: ['organizationCode:admin', 'code:read'], declared: 'user' },
  'POST /codes/{}/pubkeys/{}': {
    asked: ['organizationCode:admin', 'code:write'],
    declared: 'user',
  },
  'DELETE /codes/{}/pubkeys/{}': {
    asked: ['organizationCode:admin', 'code:write'],
    declared: 'user',
  },
}
/** The operation creates a cart, so it needs the scopes of carts. */
const forBuyers: Record<string, Exception> = {
  'POST /codes/{}/random_yat': { asked: 'user', declared: 'cart:update' },
}
const exceptions = {
  ...forAnybody,
  ...forPeople,
  ...forOwners,
  ...forSelf,
  ...forKeysMadeForIt,
  ...forMembers,
  ...forBuyers,
}
/**
 * Sensitive in the contract. Signing out is never refused, an account only in parts, a checkout
 * above a price.
 */
const notSensitiveHere = [
  'POST /logout',
  'PATCH /account',
  'POST /cart/checkout',
  'POST /cart/checkout/{}',
]

/** A new route without a scope. */
const declaring = async (config: object) => {
  const app = fastify()
  const rejectCaller = () => Promise.reject(new Error('Unexpected call'))
  guardRoutes(app, { token: rejectCaller, apiKey: rejectCaller }, createWorkBudget())
  app.route({ method: 'GET', url: '/new', config, handler: async () => 'new' })
  await app.ready()
}

describe('a new route', () => {
  it.each([
    [{}, 'does not declare who may call it'],
    [{ access: 'user' }, 'must declare config.key_scopes'],
    [{ access: 'user', key_scopes: [] }, 'must declare config.key_scopes'],
    [{ access: 'anybody' }, 'must declare config.key_scopes'],
    [{ access: 'optional' }, 'must declare config.key_scopes'],
    [{ access: 'public', key_scopes: ['cart:show'] }, 'must declare config.key_scopes'],
    [{ access: 'user', key_scopes: ['cart:eat'] }, 'requires unknown scopes'],
    [{ access: 'cart:show', more_scopes: ['cart:eat'] }, 'requires unknown scopes'],
    [{ access: 'cart:eat' }, 'requires unknown scopes'],
  ])('stops the start with %o', async (config, sentence) => {
    await expect(declaring(config)).rejects.toThrow(sentence)
  })

  it('a new route is mounted once it declares the scopes for keys', async () => {
    await expect(declaring({ access: 'user', key_scopes: ['cart:show'] })).resolves.toBe(undefined)
  })
})

describe('the access that a route declares', () => {
  const contracted = operationsOf(contract).flatMap(({ route, operation }) => {
    const declaredRoute = routes.find((one) => shapeOf(one.route) === route)
    return declaredRoute ? [{ route, operation, declared: declaredRoute }] : []
  })
  it.each(contracted)('matches the contract: $route', ({ route, operation, declared }) => {
    const { security = [], 'x-scope': scopes } = operation
    const isOptional = security.some((way) => Object.keys(way).length === 0)
    const requiredAccess =
      scopes ?? (isOptional ? ['optional'] : security.length > 0 ? ['user'] : ['public'])
    const exception = exceptions[route]
    if (exception) expect(requiredAccess).toEqual([exception.asked].flat())
    const expected = exception ? [exception.declared].flat() : requiredAccess
    const isPublic = deliberatelyPublic.includes(route)
    expect([declared.access].flat().toSorted()).toEqual(isPublic ? ['public'] : expected.toSorted())
    if (operation['x-sensitive']) {
      expect(declared.isSensitive).toBe(!notSensitiveHere.includes(route))
    }
  })

  it('differs from the contract only where it grants no additional access', () => {
    const existingExceptions = contracted.filter(({ route }) => route in exceptions)
    expect(existingExceptions.map(({ route }) => route).toSorted()).toEqual(
      Object.keys(exceptions).toSorted(),
    )
    const ownerRoutes = contracted.filter(({ operation }) => operation['x-owner'])
    expect(
      Object.keys(forOwners).filter((one) => !ownerRoutes.some((o) => o.route === one)),
    ).toEqual([])
    for (const { declared } of Object.values(forKeysMadeForIt))
      expect(userScopes).toContain(declared)
  })
})

/** Sign-in pages, the demonstration's own and files with a hash. */
const elsewhere = /^GET \/(?:api|auth|dev|assets|health|\.well-known)(?:\/|$)/

describe('a route without a sign-in', () => {
  const openAccess = ['public', 'anybody', 'optional']
  const known = [...Object.keys(suspendableRequests), ...Object.values(withoutSuspension).flat()]
  const openRoutes = () => [
    ...routes
      .filter(({ access, method }) => method !== 'HEAD' && openAccess.includes(String(access)))
      .map(({ route }) => shapeOf(route.replace(' ', ' /api'))),
    ...routesOf(service.app)
      .filter((route) => route.startsWith('GET ') && !elsewhere.test(route))
      .map(shapeOf),
  ]

  it('responds 451 for a suspended id, or has a reason why not', () => {
    const missing = openRoutes().filter((route) => !known.includes(route))
    expect(
      missing,
      'Add the route to packages/server/test/support/open-routes.ts: with requests that respond 451 while their ' +
        'id is suspended, or with the reason why a suspension does not change it.',
    ).toEqual([])
    expect(
      known.filter((route) => !openRoutes().includes(route)),
      'These routes do not exist, or require a sign-in. Remove them from packages/server/test/support/open-routes.ts.',
    ).toEqual([])
  })
})

it('an address so malformed that no route matches has the error body of its neighbours', async () => {
  const ends = routesOf(service.app).flatMap((route) =>
    route.startsWith('GET /api/emoji_id/:')
      ? (route.match(/(?<=^[^/]+\/api\/emoji_id\/[^/]+)\/[^/:]+$/) ?? [])
      : [],
  )
  expect(ends).toContain('/history')
  for (const end of ends) {
    const body = (await service.get(`/api/emoji_id/%ff${end}`)).json<object>()
    const isLookup = lookupEnds.includes(end)
    expect('code' in body, `Add ${end} to lookupPath in sites/api/errors.ts.`).toBe(!isLookup)
  }
})
