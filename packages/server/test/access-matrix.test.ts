import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, describe, expect, it } from 'vitest'
import type { Container } from '../src/container.ts'
import { type Person, register, registerAs } from './support/people.ts'
import { testService } from './support/service.ts'

/** What decisions/auth.md gives each role, spelled out anew: the code's own table may be wrong. */
const contract = JSON.parse(readFileSync(new URL('contract/openapi.json', import.meta.url), 'utf8'))
const allScopes: string[] = contract.components.schemas.Scope.enum
const purchases = [
  ...['cart:show', 'cart:update'],
  ...['paymentMethod:destroy', 'paymentMethod:read', 'paymentMethod:setDefault'],
]
const ofAnybody = [
  ...['user:createApiKey', 'edition:read', 'emoji::transfer', 'lootbox:use', 'order:readSelf'],
  ...['organizationList:read', 'nftSignature:write', 'userData:update', 'user:deleteSelf'],
  ...['userInterest:delete', 'userInterest:read', 'userInterest:write', 'user:writeSelf'],
]
const scopesOf = {
  User: [...ofAnybody, ...purchases],
  Bot: [...ofAnybody, 'user:activate'],
  Admin: allScopes.filter((scope) => scope !== 'adminUser:loginAs'),
  Super: allScopes,
}
const ofController = [
  ...['organization:read', 'organizationEmoji:list', 'organizationEmoji:write'],
  ...['organizationCode:admin', 'organizationUser:read'],
]
const inOrganization = {
  OrgMember: ['organization:read'],
  OrgController: ofController,
  OrgOwner: [...ofController, 'organization:write', 'organization:admin', 'organizationUser:admin'],
}

/** Routes for any account whose organization decides further, and what it asks for. */
const organizationRules: Record<string, { scope: string; body?: object }> = {
  'PATCH /admin/organizations/:id': { scope: 'organization:write' },
  'GET /admin/organizations/:id/members': { scope: 'organizationUser:read' },
  'HEAD /admin/organizations/:id/members': { scope: 'organizationUser:read' },
  'PUT /admin/organizations/:id/members/:user_id': {
    ...{ scope: 'organizationUser:admin', body: { role: 'OrgMember' } },
  },
  'DELETE /admin/organizations/:id/members/:user_id': { scope: 'organizationUser:admin' },
}

type Route = { route: string; method: string; url: string; access: string | readonly string[] }
const routes: Route[] = []
let sessions = undefined as unknown as Container['sessions']
const service = await testService({
  overload: { maxInFlight: 1_000, maxDelayMs: 60_000 },
  override: (container) => {
    sessions = container.sessions
    const guardApi: Container['guardApi'] = (app) => {
      app.addHook('onRoute', ({ method: methods, url: path, config }) => {
        const url = path.replace(/^\/api/, '')
        for (const method of [methods].flat()) {
          routes.push({ route: `${method} ${url}`, method, url, access: config?.access ?? '' })
        }
      })
      container.guardApi(app)
    }
    return { ...container, guardApi }
  },
})
afterAll(() => service.close())

const admin = await registerAs(service, 'Super')
const found = async () =>
  (await admin.post('/api/admin/organizations', { name: 'Crabs' })).json<{ id: string }>().id
const organization = await found()
const join = async (role: string, id = organization) => {
  const person = await register(service, { password: null })
  await admin.put(`/api/admin/organizations/${id}/members/${person.id}`, { role })
  return person
}

type Caller = {
  name: string
  token: () => Promise<string | undefined>
  /** Nothing: nobody is let in with what they send. */
  role?: keyof typeof scopesOf
  member?: keyof typeof inOrganization
}
/** A session for each request, since some of them end it. */
const anew = (person: Person) => async () =>
  (
    await service.db
      .transaction()
      .execute((trx) => sessions.open(trx, person.id, { user_agent: undefined }))
  ).access_token
const member = async (name: keyof typeof inOrganization): Promise<Caller> => ({
  ...{ name, role: 'User', member: name, token: anew(await join(name)) },
})
const [leaver, deactivated] = [
  await registerAs(service, 'Admin'),
  await registerAs(service, 'Admin'),
]
await leaver.post('/api/logout')
await admin.post(`/api/admin/users/${deactivated.id}/deactivate`, { reason: 'Left us' })

const callers: Caller[] = [
  { name: 'no credential', token: async () => undefined },
  { name: 'logged out', token: async () => leaver.tokens.access_token },
  { name: 'deactivated', token: async () => deactivated.tokens.access_token },
  ...(await Promise.all(
    (['User', 'Bot', 'Admin', 'Super'] as const).map(async (role) => ({
      ...{ name: role, role, token: anew(await registerAs(service, role)) },
    })),
  )),
  await member('OrgMember'),
  await member('OrgController'),
  await member('OrgOwner'),
  { name: 'other owner', role: 'User', token: anew(await join('OrgOwner', await found())) },
]

const missing = '401 Bearer'
const invalid = '401 Bearer error="invalid_token"'
const unknown = 'unknown_organization'
const forbidden = '403 Bearer error="insufficient_scope"'

/** What the declared access promises to this caller. */
function promised({ route, url, access }: Route, { name, role, member }: Caller): string {
  if (access === 'public') return 'in'
  const isAnonymous = name === 'no credential'
  if (access === 'optional' && isAnonymous) return 'in'
  if (!role) return isAnonymous ? missing : invalid
  if (access === 'optional') return 'in'
  if (access !== 'user') {
    const asked = [access].flat()
    const strange = asked.filter((scope) => !allScopes.includes(scope))
    if (asked.length === 0 || strange.length > 0) throw new Error(`${route}: ${access} is no scope`)
    return asked.some((scope) => scopesOf[role].includes(scope)) ? 'in' : forbidden
  }
  const rule = organizationRules[route]
  if (!rule && /organizations\/:/.test(url)) throw new Error(`${route} has no rule in this table`)
  if (!rule || scopesOf[role].includes(rule.scope)) return 'in'
  if (!member) return '404'
  return inOrganization[member].includes(rule.scope) ? 'in' : forbidden
}

async function happens({ route, method, url }: Route, { token }: Caller): Promise<string> {
  const path = url
    .replace('/organizations/:id', `/organizations/${organization}`)
    .replace(/:(emoji_id|eid)/, encodeURIComponent('🦀🚀🌙'))
    .replaceAll(/:\w+/g, () => randomUUID())
  const bearer = await token()
  const answer = await service.call(method, `/api${path}`, {
    headers: bearer ? { authorization: `Bearer ${bearer}` } : {},
    body: /^(GET|HEAD|DELETE)$/.test(method) ? undefined : (organizationRules[route]?.body ?? {}),
  })
  const { status } = answer
  if (status === 401 || status === 403) return `${status} ${answer.headers.get('www-authenticate')}`
  if (status >= 500) return `${status}`
  const isHidden = method === 'HEAD' ? organizationRules[route] : answer.body.includes(unknown)
  return status === 404 && isHidden ? '404' : 'in'
}

let checked = 0
describe(`who may call what (T65): ${routes.length} routes × ${callers.length} callers`, () => {
  const named = routes.map((one) => [one.route, [one.access].flat().join(' or '), one] as const)
  it.each(named)('%s is for %s', async (_route, _access, route) => {
    for (const caller of callers) {
      const wanted = promised(route, caller)
      expect([caller.name, await happens(route, caller)]).toEqual([caller.name, wanted])
      checked++
    }
  })

  it(`leaves none of the ${routes.length * callers.length} combinations out`, async () => {
    const described = (await service.get('/api/openapi.json')).json<Description>()
    const documented = operationsOf(described).map(({ route }) => route)
    const collected = routes.map(({ route }) => shapeOf(route))

    expect(checked).toBe(routes.length * callers.length)
    expect(documented.filter((route) => !collected.includes(route))).toEqual([])
    expect(documented.length).toBeGreaterThan(30)
    const rules = Object.keys(organizationRules).map(shapeOf)
    expect(rules.filter((rule) => !collected.includes(rule))).toEqual([])
  })
})

type Operation = { security?: object[]; 'x-scope'?: string[] }
type Description = { paths: Record<string, Record<string, Operation>> }
/** Parameters go by other names there. */
const shapeOf = (route: string) => route.replaceAll(/:\w+|\{\w+\}/g, '{}')
const operationsOf = ({ paths }: Description) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...{ route: shapeOf(`${method.toUpperCase()} ${path}`), operation },
    })),
  )

/** Public although the contract lists a token: decisions/wire.md, 6. */
const deliberatelyPublic = [
  ...['', '/{}', '/metadata', '/rhythm', '/payment', '/json', '/json/{}'].map(
    (end) => `GET /emoji_id/{}${end}`,
  ),
  ...['GET /emoji', 'GET /redirect', 'GET /organizations/{}/branding'],
  ...[
    'GET /emoji_id/search',
    'GET /emoji_id/random',
    'GET /emoji_id/recent',
    'GET /nft_transfers/metadata/{}',
  ],
]

describe('what a route declares', () => {
  const contracted = operationsOf(contract).flatMap(({ route, operation }) => {
    const declared = routes.find((one) => shapeOf(one.route) === route)
    return declared ? [{ route, operation, declared: declared.access }] : []
  })
  it.each(contracted)('is what the contract asks for: $route', ({ route, operation, declared }) => {
    const { security = [], 'x-scope': scopes } = operation
    const isOptional = security.some((way) => Object.keys(way).length === 0)
    const asked =
      scopes ?? (isOptional ? ['optional'] : security.length > 0 ? ['user'] : ['public'])
    const wanted = deliberatelyPublic.includes(route) ? ['public'] : asked
    expect([declared].flat().toSorted()).toEqual(wanted.toSorted())
  })
})
