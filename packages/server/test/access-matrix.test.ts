import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { dayMs } from '../src/platform/time.ts'
import {
  allScopes,
  collectRoutes,
  type Description,
  operationsOf,
  organizationScopes,
  type Route,
  scopesForKeys,
  scopesOf,
  shapeOf,
} from './support/access.ts'
import { newApplication, signInAtApplication } from './support/applications.ts'
import { makeCode, signedCode } from './support/codes.ts'
import { newcomer, type Person, registerAs } from './support/people.ts'
import { keyPair } from './support/schnorr.ts'
import { enableApp } from './support/second-factor.ts'
import { testService } from './support/service.ts'

const missing = '401 Bearer'
const forbidden = '403 Bearer error="insufficient_scope"'

/**
 * Routes for any account where the organization decides further, and the permission it requires.
 */
type OrganizationRule = {
  scope: string
  body?: object
  query?: string
  /** The response to other users; 404 by default. */
  strangers?: string
  /** The response to members of another organization; as for strangers by default. */
  neighbours?: string
}
const organizationRules: Record<string, OrganizationRule> = {
  'GET /admin/organizations/:id': { scope: 'organization:read' },
  'HEAD /admin/organizations/:id': { scope: 'organization:read' },
  'PATCH /admin/organizations/:id': { scope: 'organization:write' },
  'GET /admin/organizations/:id/members': { scope: 'organizationUser:read' },
  'HEAD /admin/organizations/:id/members': { scope: 'organizationUser:read' },
  'GET /admin/organizations/:id/members/export': { scope: 'organizationUser:read' },
  'HEAD /admin/organizations/:id/members/export': { scope: 'organizationUser:read' },
  'PUT /admin/organizations/:id/members/:user_id': {
    scope: 'organizationUser:admin',
    body: { role: 'OrgMember' },
  },
  'DELETE /admin/organizations/:id/members/:user_id': { scope: 'organizationUser:admin' },
  'GET /admin/organizations/:id/invitations': { scope: 'organizationUser:read' },
  'HEAD /admin/organizations/:id/invitations': { scope: 'organizationUser:read' },
  'POST /admin/organizations/:id/invitations': {
    scope: 'organizationUser:admin',
    body: { email: 'invited@example.com', role: 'OrgMember' },
  },
  'DELETE /admin/organizations/:id/invitations/:invitation_id': { scope: 'organizationUser:admin' },
  'PUT /organizations/:id/branding': {
    scope: 'organization:write',
    body: { currencies: [], return_link: 'https://crabs.example.com/back' },
  },
}

const { routes, override, sessions } = collectRoutes()
const service = await testService({
  override,
  overload: { maxInFlight: 1_000, maxDelayMs: 60_000 },
})
afterAll(() => service.close())

const admin = await registerAs(service, 'Super')
const createOrganization = async () =>
  (await admin.post('/api/admin/organizations', { name: 'Crabs', client_fee_percent: 100 })).json<{
    id: string
  }>().id
const organization = await createOrganization()
/** Permissions that the organization itself can grant. */
const ownTerms = { organization_id: organization, discount_as_percentage: 50 }
const inOwnOrganization = 'organizationCode:admin'
Object.assign(organizationRules, {
  'GET /codes': { scope: inOwnOrganization, query: `organization_id=${organization}` },
  'HEAD /codes': { scope: inOwnOrganization, query: `organization_id=${organization}` },
  'GET /codes/export': { scope: inOwnOrganization, query: `organization_id=${organization}` },
  'HEAD /codes/export': { scope: inOwnOrganization, query: `organization_id=${organization}` },
  'POST /admin/codes': {
    scope: inOwnOrganization,
    body: signedCode(ownTerms),
  },
  'PATCH /admin/codes/:id': { scope: inOwnOrganization },
  'DELETE /admin/codes/:id': { scope: inOwnOrganization },
  'POST /codes/:code_id/pubkeys/:pubkey': { scope: inOwnOrganization },
  'DELETE /codes/:code_id/pubkeys/:pubkey': { scope: inOwnOrganization },
})
const ofApplication = { scope: 'organization:admin' }
const newClient = {
  organization_id: organization,
  name: 'Tide',
  redirect_uris: ['https://a.example.com/'],
}
const inQuery = { scope: 'organization:read', query: `organization_id=${organization}` }
Object.assign(organizationRules, {
  'GET /admin/oauth_clients': inQuery,
  'HEAD /admin/oauth_clients': inQuery,
  'GET /admin/oauth_clients/export': inQuery,
  'HEAD /admin/oauth_clients/export': inQuery,
  'POST /admin/oauth_clients': { ...ofApplication, body: newClient },
  'GET /admin/oauth_clients/:id': { scope: 'organization:read' },
  'HEAD /admin/oauth_clients/:id': { scope: 'organization:read' },
  'PATCH /admin/oauth_clients/:id': ofApplication,
  'DELETE /admin/oauth_clients/:id': ofApplication,
  'POST /admin/oauth_clients/:id/secrets': ofApplication,
  'DELETE /admin/oauth_clients/:id/secrets/:secret_id': ofApplication,
  'POST /admin/emoji_ids/import': {
    scope: 'organizationEmoji:write',
    strangers: forbidden,
    neighbours: 'in',
    body: { dry_run: true, rows: [{ emoji_id: '🦀🚀🌙', organization_id: organization }] },
  },
})
const clientOf = async () =>
  (await admin.post('/api/admin/oauth_clients', newClient)).json<{ client_id: string }>().client_id
const sharedClient = await clientOf()
const newCode = async () => (await makeCode(admin, signedCode(ownTerms))).id
const sharedCode = await newCode()
const join = async (role: string, id = organization) => {
  const person = await newcomer(service)
  await admin.put(`/api/admin/organizations/${id}/members/${person.id}`, { role })
  return person
}

type Caller = {
  name: string
  headers: (canEndSession: boolean) => Promise<Record<string, string>>
  /** `undefined`: no credential is valid there. */
  role?: keyof typeof scopesOf
  member?: keyof typeof organizationScopes
  /** The scopes of a key; `undefined` if the credential is not a key. */
  key?: readonly string[]
  /** An application that a user signed in to, which sees one of the user's ids. */
  isApplication?: true
  /** The second-factor code is pending or expired. */
  code?: 'owed' | 'stale'
}
/** Counts the requests that may have ended the sessions of their caller. */
let endingRequests = 0
/** One session for all requests up to one that may end it. Such a request has its own. */
const anew = (person: Person, device: { code_given_at?: Date } = {}) => {
  const open = async () => {
    const newSession = service.db
      .transaction()
      .execute((trx) =>
        sessions().openSession(trx, person.id, { user_agent: undefined, ...device }),
      )
    return { authorization: `Bearer ${(await newSession).access_token}` }
  }
  let sharedSession: ReturnType<typeof open> | undefined
  let openedAt = 0
  return (canEndSession: boolean) => {
    if (canEndSession) return open()
    if (openedAt !== endingRequests) sharedSession = undefined
    openedAt = endingRequests
    sharedSession ??= open()
    return sharedSession
  }
}
const always = (headers: Record<string, string>) => async () => headers
const member = async (name: keyof typeof organizationScopes): Promise<Caller> => ({
  name,
  role: 'User',
  member: name,
  headers: anew(await join(name)),
})
/** A key made over HTTP. */
const keyOf = async (person: Person, body: { scopes?: readonly string[]; expires_at?: Date }) => {
  const keyResponse = await person.post('/api/api_keys', { name: 'a key', ...body })
  expect(keyResponse.status).toBe(200)
  return always({ 'x-api-key': keyResponse.json<{ api_key: string }>().api_key })
}
const [leaver, deactivatedPerson, keyHolder, keyAdmin, cautious, idle] = [
  await registerAs(service, 'Admin'),
  await registerAs(service, 'Admin'),
  await registerAs(service, 'User'),
  await registerAs(service, 'Admin'),
  await registerAs(service, 'Admin'),
  await registerAs(service, 'Admin'),
]
await leaver.post('/api/logout')
await admin.post(`/api/admin/users/${deactivatedPerson.id}/deactivate`, { reason: 'Left us' })
const unrelated = ['edition:read']
const nextMinute = new Date(service.clock.now().getTime() + 60_000)
const expired = await keyOf(keyAdmin, { expires_at: nextMinute })
service.clock.advance(61_000)
for (const person of [cautious, idle]) await enableApp(service, person)
const longAgo = new Date(service.clock.now().getTime() - dayMs)

const signedIn = await signInAtApplication(service, admin, await newApplication(service, admin))

const callers: Caller[] = [
  { name: 'no credential', headers: always({}) },
  {
    name: 'logged out',
    headers: always({ authorization: `Bearer ${leaver.tokens.access_token}` }),
  },
  {
    name: 'deactivated',
    headers: always({ authorization: `Bearer ${deactivatedPerson.tokens.access_token}` }),
  },
  { name: 'expired key', headers: expired },
  ...(await Promise.all(
    (['User', 'Bot', 'Admin', 'Super'] as const).map(async (role) => ({
      name: role,
      role,
      headers: anew(await registerAs(service, role)),
    })),
  )),
  await member('OrgMember'),
  await member('OrgController'),
  await member('OrgOwner'),
  {
    name: 'other owner',
    role: 'User',
    headers: anew(await join('OrgOwner', await createOrganization())),
  },
  {
    name: 'API key, narrow',
    role: 'User',
    key: unrelated,
    headers: await keyOf(keyHolder, { scopes: unrelated }),
  },
  {
    name: 'API key, wide',
    role: 'User',
    key: scopesOf.User,
    headers: await keyOf(keyHolder, { scopes: scopesOf.User }),
  },
  {
    name: 'API key of an Admin',
    role: 'Admin',
    key: scopesOf.Admin,
    headers: await keyOf(keyAdmin, {}),
  },
  { name: '2FA pending', role: 'Admin', code: 'owed', headers: anew(cautious) },
  {
    name: '2FA, stale code',
    role: 'Admin',
    code: 'stale',
    headers: anew(idle, { code_given_at: longAgo }),
  },
  {
    name: 'svc token',
    isApplication: true,
    headers: always({ authorization: `Bearer ${signedIn.tokens.access_token}` }),
  },
]

const invalid = '401 Bearer error="invalid_token"'
/** The response to callers who may not learn that the resource exists. */
const unknown = /unknown_(organization|code|client)"/
const owesCode = '403 pending_second_factor'
const codeAgain = '424 two_factor_required'

/** The response that the declared access promises to this caller. */
function expectedOutcome(testedRoute: Route, caller: Caller): string {
  const { route, url, access, isSensitive, asksSignIn, isForApplications } = testedRoute
  const { name, role, member, key, code } = caller
  if (access === 'public' || access === 'anybody') return 'in'
  if (caller.isApplication) return isForApplications ? 'in' : forbidden
  const isAnonymous = name === 'no credential'
  // A key without the scope counts as anonymous there.
  if (access === 'optional' && (isAnonymous || key)) return 'in'
  if (!role) return isAnonymous ? missing : invalid
  if (code === 'owed') return access === 'any_session' ? 'in' : owesCode
  const heldScopes = scopesOf[role].filter((scope) => !key || key.includes(scope))
  if (access === 'session' || access === 'any_session') {
    if (key) return forbidden
  } else if (access !== 'user' && access !== 'optional') {
    const accessList = [access].flat()
    const strange = accessList.filter((scope) => !allScopes.includes(scope))
    if (accessList.length === 0 || strange.length > 0)
      throw new Error(`${route}: ${access} is no scope`)
    if (!accessList.some((scope) => heldScopes.includes(scope))) return forbidden
  }
  if (
    key &&
    testedRoute.keyScopes.length > 0 &&
    !testedRoute.keyScopes.some((one) => heldScopes.includes(one))
  ) {
    return forbidden
  }
  if (asksSignIn && key) return forbidden
  if (isSensitive && code === 'stale') return codeAgain
  const rule = organizationRules[route]
  const needsRule =
    access === 'user' &&
    /organizations\/:|codes$|admin\/codes|codes\/:code_id\/pubkeys|oauth_clients|import/.test(url)
  if (!rule && needsRule) throw new Error(`${route} has no rule in this table`)
  if (!rule || heldScopes.includes(rule.scope)) return 'in'
  const { strangers = '404', neighbours = strangers } = rule
  if (!member) return name === 'other owner' ? neighbours : strangers
  return organizationScopes[member].includes(rule.scope) ? 'in' : forbidden
}

/** Changes of an account or of its sessions may end them. */
const canEndSession = ({ method, url }: Route) =>
  !/^(GET|HEAD)$/.test(method) && /logout|auth|account|users|sessions/.test(url)

async function actualOutcome(
  testedRoute: Route,
  { headers }: Pick<Caller, 'headers'>,
  { more = '', isAdmitted = true } = {},
): Promise<string> {
  const { route, method, url } = testedRoute
  const isRead = /^(GET|HEAD)$/.test(method)
  // An admitted caller changes or removes the client or code, so no later request uses it.
  const isUsedUp = isAdmitted && !isRead
  const code =
    /codes\/:/.test(url) && isUsedUp && method === 'DELETE' ? await newCode() : sharedCode
  const client = /clients\/:/.test(url) && isUsedUp ? await clientOf() : sharedClient
  const { query = '', body = {} } = organizationRules[route] ?? {}
  const path = url
    // Members would leave, and lose the access that later routes ask of them.
    .replace(':id/membership', `${randomUUID()}/membership`)
    .replace('/organizations/:id', `/organizations/${organization}`)
    .replace(/codes\/:(id|code_id)/, `codes/${code}`)
    .replace('oauth_clients/:id', `oauth_clients/${client}`)
    .replace(':pubkey', () => keyPair().pubkey)
    .replace(/:(emoji_id|eid)/, encodeURIComponent('🦀🚀🌙'))
    .replaceAll(/:\w+/g, () => randomUUID())
  const answer = await service.call(method, `/api${path}?${more || query}`, {
    headers: await headers(canEndSession(testedRoute)),
    body: isRead || method === 'DELETE' ? undefined : body,
  })
  if (canEndSession(testedRoute)) endingRequests++
  const { status } = answer
  const challenge = answer.headers.get('www-authenticate')
  if (challenge) return `${status} ${challenge}`
  if ([401, 403, 424].includes(status)) {
    // A HEAD response has only the status.
    const unsaid = answer.status === 424 ? 'two_factor_required' : 'pending_second_factor'
    const pending = method === 'HEAD' ? unsaid : answer.json()['code']
    return `${status} ${pending}`
  }
  if (status >= 500) return `${status}`
  const isHidden = method === 'HEAD' ? organizationRules[route] : unknown.test(answer.body)
  return status === 404 && isHidden ? '404' : 'in'
}

/** Routes that accept keys with some scope. */
const askingRoutes = routes.filter(
  (one) =>
    one.method !== 'HEAD' &&
    // Keys are refused there with any scope.
    !one.asksSignIn &&
    !['anybody', 'optional'].includes(String(one.access)) &&
    scopesForKeys(one).length > 0,
)

/** The route of a GET serves its HEAD: one of these proves that the access is checked as well. */
const ofHead = ['no credential', 'User']
/** Callers for public routes: with and without a credential. */
const ofPublic = ['no credential', 'API key, narrow', '2FA pending', 'svc token']
/** Their credential is refused on every route: each route meets one of them in turn. */
const withoutAccess = ['logged out', 'deactivated', 'expired key']
/** Outside their organization members are plain users: there the highest role stands for all. */
const lesserMembers = ['OrgMember', 'OrgController', 'other owner']
const askersOf = (testedRoute: Route) => {
  const { route, method, access } = testedRoute
  if (method === 'HEAD') return callers.filter(({ name }) => ofHead.includes(name))
  const invalidCaller = withoutAccess[routes.indexOf(testedRoute) % withoutAccess.length]
  const isOther = ({ name }: Caller) => withoutAccess.includes(name) && name !== invalidCaller
  if (access === 'public' || access === 'anybody') {
    return callers.filter(({ name }) => ofPublic.includes(name) || name === invalidCaller)
  }
  // Keys without the scope of a route are refused below.
  const isNarrow = ({ name }: Caller) =>
    name === 'API key, narrow' && askingRoutes.includes(testedRoute)
  const askingCallers = callers.filter((caller) => !isOther(caller) && !isNarrow(caller))
  if (organizationRules[route]) return askingCallers
  return askingCallers.filter(({ name }) => !lesserMembers.includes(name))
}
/** Alike outside an organization: of those that a route refuses, each route meets one in turn. */
const alikeCallers = [
  ['User', 'Bot', 'OrgOwner'],
  ['API key, wide', 'API key of an Admin'],
]
/** One caller of each kind that the route refuses, and one of those that it admits, in turn. */
const callersOf = (testedRoute: Route) => {
  const askers = askersOf(testedRoute)
  const nth = routes.indexOf(testedRoute)
  if (testedRoute.method === 'HEAD') return askers.slice(nth % 2, (nth % 2) + 1)
  if (organizationRules[testedRoute.route]) return askers
  const isIn = (caller: Caller) => expectedOutcome(testedRoute, caller) === 'in'
  const admittedAskers = askers.filter(isIn)
  const refusedAskers = askers.filter((caller) => !isIn(caller))
  const chosenCallers = [
    admittedAskers[nth % admittedAskers.length],
    ...alikeCallers.map((names) => {
      const alikeAskers = refusedAskers.filter(({ name }) => names.includes(name))
      return alikeAskers[nth % alikeAskers.length]
    }),
  ]
  const isSingle = (caller: Caller) => !alikeCallers.flat().includes(caller.name) && !isIn(caller)
  return askers.filter((caller) => isSingle(caller) || chosenCallers.includes(caller))
}
// Last, since they may end every session of a caller.
const orderedRoutes = [...routes].sort(
  (a, b) => Number(canEndSession(a)) - Number(canEndSession(b)),
)

const isClosedToKeys = ({ access }: Route) => access === 'session' || access === 'any_session'

describe(`access per route and caller (T65): ${routes.length} routes, ${callers.length} callers`, () => {
  const named = orderedRoutes.map(
    (one) => [one.route, [one.access].flat().join(' or '), one] as const,
  )
  it.each(named)('%s admits only %s', async (_route, _access, route) => {
    const askingCallers = callersOf(route)
    const outcomes: [string, string][] = []
    // Sequential: on a busy machine, many at once would wait too long for a connection.
    for (const caller of askingCallers) {
      const isAdmitted = expectedOutcome(route, caller) === 'in'
      outcomes.push([caller.name, await actualOutcome(route, caller, { isAdmitted })])
    }
    expect(outcomes).toEqual(
      askingCallers.map((caller) => [caller.name, expectedOutcome(route, caller)]),
    )
    expect(outcomes.length).toBeGreaterThan(0)
  })

  it('declares the same access for HEAD and GET', () => {
    const declared = ({ access, isSensitive, isForApplications }: Route) => [
      access,
      isSensitive,
      isForApplications,
    ]
    const gets = new Map(
      routes.filter(({ method }) => method === 'GET').map((one) => [one.url, declared(one)]),
    )
    const heads = routes.filter(({ method }) => method === 'HEAD')
    expect(heads.length).toBeGreaterThan(30)
    for (const head of heads) {
      expect([head.route, declared(head)]).toEqual([head.route, gets.get(head.url)])
    }
  })

  it('lets applications read the ids of their user, and public data (T64)', () => {
    const admittingRoutes = routes.filter(({ isForApplications }) => isForApplications)
    expect(admittingRoutes.map(({ route }) => route).sort()).toEqual([
      'GET /emoji_id',
      'GET /emoji_id/extended',
      'HEAD /emoji_id',
      'HEAD /emoji_id/extended',
    ])
  })

  it('declares key scopes on every route that accepts keys', () => {
    const silent = routes.filter(
      (one) => !isClosedToKeys(one) && one.access !== 'public' && scopesForKeys(one).length === 0,
    )
    expect(silent.map(({ route }) => route)).toEqual([])
  })

  it('covers every documented operation, and no rule without its route', async () => {
    const apiDescription = (await service.get('/api/openapi.json')).json<Description>()
    const documented = operationsOf(apiDescription).map(({ route }) => route)
    const collected = routes.map(({ route }) => shapeOf(route))

    expect(documented.filter((route) => !collected.includes(route))).toEqual([])
    expect(documented.length).toBeGreaterThan(30)
    const rules = Object.keys(organizationRules).map(shapeOf)
    expect(rules.filter((rule) => !collected.includes(rule))).toEqual([])
  })
})

/** The further requirements of a route beside a scope. */
const withOrganization = `organization_id=${organization}`
const queries: Record<string, string> = {
  'GET /emoji_id organizationEmoji:list': withOrganization,
  'GET /emoji_id/extended organizationEmoji:list': withOrganization,
}
describe(`keys with one scope: ${askingRoutes.length} routes, ${allScopes.length} scopes`, async () => {
  // The key's owner is a Super and a member, so every refusal is about the key.
  const makers = [await registerAs(service, 'Super'), await registerAs(service, 'Super')]
  for (const { id } of makers) {
    const role = { role: 'OrgOwner' }
    await admin.put(`/api/admin/organizations/${organization}/members/${id}`, role)
  }
  const [ofOne, ofOthers] = makers as [Person, Person]
  const keys = new Map<string, { headers: Caller['headers'] }>()
  const nameOf = (scopes: readonly string[]) => scopes.join(' ')
  const keyWith = (scopes: readonly string[]) => {
    const key = keys.get(nameOf(scopes))
    if (!key) throw new Error(`No key has the scopes ${scopes}`)
    return key
  }
  const make = async (maker: Person, scopes: readonly string[]) => {
    const isMade = keys.has(nameOf(scopes))
    if (!isMade) keys.set(nameOf(scopes), { headers: await keyOf(maker, { scopes }) })
  }
  const allBut = (enough: readonly string[]) => allScopes.filter((scope) => !enough.includes(scope))
  const requiredScopes = new Set(askingRoutes.flatMap(scopesForKeys))
  // Creates all keys first: some requests end the caller's sessions.
  for (const scope of requiredScopes) await make(ofOne, [scope])
  for (const one of askingRoutes) await make(ofOthers, allBut(scopesForKeys(one)))
  const named = askingRoutes.map(
    (one) => [one.route, scopesForKeys(one).join(' or '), one] as const,
  )

  it.each(named)('%s accepts only %s', async (route, _scopes, one) => {
    const enough = scopesForKeys(one)
    const outcomes: [string, string][] = []
    for (const scope of enough) {
      const more = queries[`${route} ${scope}`] ?? ''
      outcomes.push([scope, await actualOutcome(one, keyWith([scope]), { more })])
    }
    expect(outcomes).toEqual(enough.map((scope) => [scope, 'in']))
    // Refused with all others together, so with each of them alone, and with reserved scopes.
    expect(await actualOutcome(one, keyWith(allBut(enough)), { isAdmitted: false })).toBe(forbidden)
  })
})
