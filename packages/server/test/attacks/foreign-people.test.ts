import { randomUUID } from 'node:crypto'
import { Wallet } from 'ethers'
import fc from 'fast-check'
import type { FastifyInstance } from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import { minuteMs } from '../../src/platform/time.ts'
import { allScopes, collectRoutes, type Route, scopesOf } from '../support/access.ts'
import {
  callbackUrl,
  newApplication,
  newBrowser,
  signIn,
  signInAtApplication,
} from '../support/applications.ts'
import { makeCode, redemptionCode } from '../support/codes.ts'
import { describedOperations, valuesOf } from '../support/from-schema.ts'
import { at, grant, insertOwnedId, newId, proofOf } from '../support/ids.ts'
import { makeBox } from '../support/lootboxes.ts'
import { invite, placeMember } from '../support/members.ts'
import { insertPaidOrder } from '../support/paid-orders.ts'
import {
  claimsOf,
  goodPassword,
  mailedService,
  newcomer,
  newEmail,
  type Person,
  registerAs,
} from '../support/people.ts'
import type { Answer } from '../support/service.ts'
import { webhookReceiver } from '../support/webhooks.ts'

/*
 * Walks every route of the running service as a stranger, a buyer, a partner, their keys and an
 * application, with everything that they know of another person: an emoji id, its public key, a
 * wallet. No answer may hold the address or the account id of that person.
 */

const { routes, override: collectApi } = collectRoutes()
const pages: { method: string; url: string }[] = []
const service = await mailedService({
  override(container) {
    const collected = collectApi(container)
    const guardApi: typeof container.guardApi = (api) => {
      rootOf(api).addHook('onRoute', ({ method, url }) => {
        for (const one of [method].flat()) pages.push({ method: one, url })
      })
      collected.guardApi(api)
    }
    return { ...collected, guardApi }
  },
})
const receiver = await webhookReceiver()
afterAll(async () => {
  await service.close()
  await receiver.close()
})

/** The sites are children of one instance. */
function rootOf(app: FastifyInstance): FastifyInstance {
  const parent = Object.getPrototypeOf(app)
  return typeof parent.addHook === 'function' ? rootOf(parent) : app
}

const newPerson = () => newcomer(service, { isVerified: true })
const operator = await registerAs(service, 'Super')
const [victim, placedPerson, partner, buyer] = [
  await newPerson(),
  await newPerson(),
  await newPerson(),
  await newPerson(),
]
const secrets: Record<string, string> = {
  'the account of the victim': victim.id,
  'the mailbox of the victim': victim.email,
  'the account of a member who did not accept': placedPerson.id,
  'the mailbox of a member who did not accept': placedPerson.email,
  'the account of an operator': operator.id,
  'the mailbox of an operator': operator.email,
}

const insist = (answer: Answer) => {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.body}`)
  return answer
}
const idIn = (answer: Answer) => insist(answer).json<{ id: string }>().id

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

// Ids, purchases and boxes of the victim.
const victimsId = await grant(operator, { user_id: victim.id })
const victimsOther = await grant(operator, { user_id: victim.id })
insist(await victim.patch(at(victimsId), { insert: [{ tag: '0x1003', data: bitcoin }] }))
insist(await victim.post(at(victimsId, '/json/SvcPageData'), { data: { bio: 'Hi' } }))
const victimsKey = (await proofOf(service, victimsId)).pubkey ?? ''
const victimsWallet = Wallet.createRandom().address
await service.db
  .insertInto('wallets')
  .values({
    user_id: victim.id,
    eth_address: victimsWallet,
    source: 'a wallet',
    proven: true,
    created_at: service.clock.now(),
  })
  .execute()
const victimsBox = await makeBox(operator)
insist(
  await operator.patch(`/api/lootboxes/${victimsBox.id}`, { owner_id: victim.id, status: 'Owned' }),
)
const victimsPurchase = newId()
const victimsOrder = await insertPaidOrder(service, victim.id, [victimsPurchase])

// The partner, with a member whom an operator placed, and a purchase of the victim.
const organization = idIn(
  await operator.post('/api/admin/organizations', {
    name: 'Tide',
    partner_path: `p-${randomUUID()}`,
    client_fee_percent: 100,
  }),
)
await placeMember(operator, organization, partner, 'OrgOwner')
const member = `/api/admin/organizations/${organization}/members/${placedPerson.id}`
insist(await operator.put(member, { role: 'OrgController' }))
const invitation = await invite(partner, organization, { email: newEmail() })
const members = await partner.get(`/api/admin/organizations/${organization}/members`)
/** The id by which the partner knows the member who did not accept. */
const hiddenMember =
  members.json<{ user_id: string; email: string | null }[]>().find(({ email }) => email === null)
    ?.user_id ?? ''
const otherOrganization = idIn(await operator.post('/api/admin/organizations', { name: 'Reef' }))
const invitationOfBuyer = await invite(operator, otherOrganization, buyer)
const organizationsId = await grant(operator, { organization_id: organization })
insist(await placedPerson.patch(at(organizationsId), { insert: [{ tag: '0x5001', data: 'Yo' }] }))
await service.db
  .updateTable('orders')
  .set({ organization_id: organization })
  .where('id', '=', victimsOrder)
  .execute()
const code = await makeCode(partner, redemptionCode({ organization_id: organization }))
const application = await newApplication(service, operator, { organization_id: organization })
insist(
  await partner.put(`/api/organizations/${organization}/branding`, {
    currencies: [],
    return_link: 'https://tide.example.com/back',
  }),
)
const endpoint = idIn(
  await partner.post('/api/webhook_endpoints', {
    organization_id: organization,
    url: receiver.url,
    types: [],
  }),
)
const known: Record<string, string[]> = {}
for (const person of [partner, buyer]) {
  const own = await insertOwnedId(service, person.id)
  const spare = await insertOwnedId(service, person.id)
  const toKey = insist(await person.post('/api/transfers', { eid: own, pubkey: victimsKey }))
  const { id, recipient_id } = toKey.json<{ id: string; recipient_id: string }>()
  insist(await person.post('/api/user_interests', { emoji_id: victimsId }))
  const box = await makeBox(operator)
  insist(await operator.patch(`/api/lootboxes/${box.id}`, { owner_id: person.id, status: 'Owned' }))
  const order = await insertPaidOrder(service, person.id, [newId()])
  // An id that came from the victim, and one that is offered.
  await insertTransfer(victim, person, spare, 'accepted')
  const offer = await insertTransfer(victim, person, victimsOther, 'awaiting_receiver')
  known[person.id] = [own, spare, id, recipient_id, box.id, order, offer]
}

async function insertTransfer(
  from: Person,
  to: Person,
  emoji_id: string,
  status: 'accepted' | 'awaiting_receiver',
) {
  const id = randomUUID()
  const now = service.clock.now()
  await service.db
    .insertInto('transfers')
    .values({
      id,
      // One open transfer per id.
      emoji_id: status === 'accepted' ? emoji_id : await insertOwnedId(service, from.id),
      status,
      sender_id: from.id,
      recipient_id: to.id,
      organization_id: null,
      email: to.email,
      pubkey: null,
      clear_on_transfer: false,
      message: 'For you',
      shows_sender: false,
      code_hmac: null,
      code_sent_at: new Date(now.getTime() - 2 * minuteMs),
      created_at: now,
      sender_code_accepted_at: now,
      accepted_at: status === 'accepted' ? now : null,
      deleted_at: null,
    })
    .execute()
  return id
}

const signedIn = await signInAtApplication(service, operator, application)
Object.assign(secrets, {
  'the account of a user of an application': signedIn.person.id,
  'the mailbox of a user of an application': signedIn.person.email,
})
const userWithPassword = await newcomer(service, { password: goodPassword, isVerified: true })
const browsers = [newBrowser(service), await signIn(service, application, userWithPassword)]
const keyHeaders = (person: Person, scopes: readonly string[]) =>
  person
    .post('/api/api_keys', { name: 'wide', scopes })
    .then((answer) => ({ 'x-api-key': insist(answer).json<{ api_key: string }>().api_key }))
const session = ({ tokens }: Person) => ({ authorization: `Bearer ${tokens.access_token}` })
const organizationKeyScopes = [
  'domainEvent:read',
  'organization:read',
  'organization:write',
  'organization:admin',
  'organizationCode:admin',
  'organizationEmoji:list',
  'organizationEmoji:write',
  'organizationUser:admin',
  'organizationUser:read',
  'webhook:read',
  'webhook:write',
]
const keyScopes = [...scopesOf.User, ...organizationKeyScopes].filter((scope) =>
  allScopes.includes(scope),
)
const callers: Record<string, Record<string, string>> = {
  'a stranger': {},
  'a buyer': session(buyer),
  'a partner': session(partner),
  'a key of a buyer': await keyHeaders(buyer, scopesOf.User),
  'a key of a partner': await keyHeaders(partner, keyScopes),
  'an application': { authorization: `Bearer ${signedIn.tokens.access_token}` },
}

type Values = Record<string, string[]>
const ofOwn = (person: Person) => known[person.id] ?? []
/** The values of a caller for parameters and members: own things, and what the victim shows. */
const valuesFor = (person: Person): Values => {
  const [own = '', , transfer = '', recipient = '', box = '', order = '', offer = ''] =
    ofOwn(person)
  return {
    emoji_id: [own, victimsId, organizationsId],
    eid: [own, victimsId, organizationsId],
    q: [victimsId, victimsKey],
    email: [newEmail()],
    alternate_id: [newEmail()],
    pubkey: [victimsKey],
    eth_address: [victimsWallet],
    user_id: [recipient, hiddenMember, person.id],
    organization_id: [organization],
    transfer_id: [transfer, offer],
    code_id: [code.id],
    redemption_code: [String(code.redemption_code)],
    secret_id: [application.secret_id],
    tag: ['BTC'],
    keys: ['SvcPageData'],
    link: ['0x4001'],
    invitation_id: [invitation.id, invitationOfBuyer.id],
    key: ['SvcPageData'],
    ticker: ['BTC'],
    token_id: ['1'],
    path: [victimsId],
    password: ['a password hard to guess'],
    '/users/': [recipient, person.id],
    '/organizations/': [organization],
    '/orders/': [order, victimsOrder],
    '/checkout/': [order],
    '/lootboxes/': [box, victimsBox.id],
    '/codes/': [code.id],
    '/oauth_clients/': [application.client_id],
    '/webhook_endpoints/': [endpoint],
  }
}

/** Bodies of routes that refuse a generated one. */
const bodies: Record<string, (person: Person) => object> = {
  'POST /transfers': (person) => ({ eid: ofOwn(person)[1], pubkey: victimsKey }),
  'PATCH /emoji_id/:emoji_id': () => ({ insert: [{ tag: '0x5002', data: 'Hello' }] }),
  'POST /emoji_id/:eid/json/:key': () => ({ data: { bio: 'Hello' } }),
  'POST /emoji_id/lookup': () => ({ emoji_ids: [victimsId, organizationsId] }),
  'PUT /emoji_id/:emoji_id/delay_lock': () => ({ hours: 24 }),
  'POST /emoji_id/:emoji_id/reports': () => ({ category: 'scam', text: 'It asks for keys' }),
  'POST /cart': () => ({ items: [{ emoji_id: newId() }] }),
  'POST /cart/promo_code': () => ({ code: code.redemption_code }),
  'POST /user_interests': () => ({ emoji_id: victimsOther }),
  'POST /admin/codes': () => redemptionCode({ organization_id: organization }),
  'PATCH /admin/codes/:id': () => ({ name: 'Autumn' }),
  'POST /admin/emoji_ids/import': () => ({
    dry_run: true,
    rows: [{ emoji_id: newId(), pubkey: victimsKey }],
  }),
  'PUT /organizations/:id/branding': () => ({
    currencies: [],
    return_link: 'https://tide.example.com/back',
  }),
  'POST /admin/oauth_clients': () => ({
    organization_id: organization,
    name: 'Tide',
    redirect_uris: ['https://tide.example.com/'],
  }),
  'PATCH /admin/oauth_clients/:id': () => ({ name: 'Tides' }),
  'POST /admin/organizations/:id/invitations': () => ({ email: newEmail(), role: 'OrgMember' }),
  'PUT /admin/organizations/:id/members/:user_id': () => ({ role: 'OrgMember' }),
  'PATCH /admin/organizations/:id': () => ({ name: 'Tides' }),
  'POST /organizations/:id/membership/accept': () => ({ role: 'OrgOwner' }),
  'POST /webhook_endpoints': () => ({
    organization_id: organization,
    url: receiver.url,
    types: [],
  }),
  'PATCH /webhook_endpoints/:id': () => ({ types: [] }),
  'POST /api_keys': () => ({ name: 'one more' }),
  'PATCH /account': () => ({ first_name: 'Me' }),
  'POST /users': () => ({ email: newEmail(), password: 'a password hard to guess' }),
  'POST /proxy': () => ({ service: 'Echo', data: '{}' }),
  'POST /events/watch': () => ({ emoji_ids: [victimsId] }),
}

const operations = new Map(
  describedOperations().map((operation) => {
    const url = operation.path.replaceAll(/\{(\w+)\}/g, ':$1')
    return [`${operation.method} ${url}`, operation]
  }),
)

/** The path with each value that the caller has for its parameters. */
function pathsOf(url: string, values: Values): string[] {
  const name = /:(\w+)/.exec(url)?.[1]
  if (!name) return [url.replace('*', encodeURIComponent(victimsId))]
  const before = url.slice(0, url.indexOf(`:${name}`))
  const area = Object.keys(values).find((key) => key.startsWith('/') && before.endsWith(key))
  const fitting = (name === 'id' && area ? values[area] : values[name]) ?? [randomUUID()]
  return fitting.flatMap((value) =>
    pathsOf(url.replace(`:${name}`, encodeURIComponent(value)), values),
  )
}

/** The filters of a list by which it could select things of another person. */
function queriesOf(route: string, values: Values): string[] {
  const filters = operations.get(route)?.parameters.filter((one) => one.in === 'query') ?? []
  const pairs = filters.flatMap(({ name }) =>
    (values[name] ?? []).map((value) => `?${name}=${encodeURIComponent(value)}`),
  )
  return ['', ...pairs]
}

function bodiesOf(route: string, person: Person, values: Values): unknown[] {
  const fixed = bodies[route]
  if (fixed) return [fixed(person)]
  const schema = operations.get(route)?.body
  if (!schema) return [undefined]
  const named = (name: string) => {
    const fitting = values[name]
    return fitting ? fc.constantFrom(...fitting) : undefined
  }
  return fc.sample(valuesOf(schema, { named }), { numRuns: 2, seed: 7 })
}

/** Last: these end accounts, sessions and keys of the callers. */
const endsAccess = (url: string) => /logout|sessions|users\/:|api_keys\/:|membership$/.test(url)
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']
const placeOf = ({ method, url }: Route) =>
  method !== 'GET' && endsAccess(url) ? 9 : methods.indexOf(method)
const walkedRoutes = routes
  .filter(({ method }) => method !== 'HEAD')
  .sort((one, other) => placeOf(one) - placeOf(other))

function assertNoSecret(place: string, text: string) {
  const shownSecrets = Object.entries(secrets).filter(([, secret]) => text.includes(secret))
  expect(shownSecrets, place).toEqual([])
}

function assertHidden(request: string, { status, body, headers }: Answer) {
  assertNoSecret(`${request}: ${status}`, `${body} ${JSON.stringify([...headers])}`)
  expect(status, request).toBeLessThan(500)
}

/** The access matrix proves the refusals of the others. */
function mayCall(name: string, { access, isForApplications }: Route): boolean {
  if (name === 'a stranger') return ['public', 'anybody', 'optional'].includes(String(access))
  return name !== 'an application' || isForApplications
}

const answeredRoutes = new Set<string>()
async function walk(route: Route) {
  const call = async (name: string, path: string, body: unknown) => {
    const headers = callers[name] ?? {}
    const answer = await service.call(route.method, `/api${path}`, { headers, body })
    assertHidden(`${name}: ${route.method} ${path}`, answer)
    if (answer.status < 400) answeredRoutes.add(route.route)
  }
  const lanes: (() => Promise<void>)[][] = []
  for (const person of [buyer, partner]) {
    const values = valuesFor(person)
    const names = Object.keys(callers).filter(
      (name) => name.includes('partner') === (person === partner) && mayCall(name, route),
    )
    const paths = pathsOf(route.url, values).flatMap((path) =>
      queriesOf(route.route, values).map((query) => path + query),
    )
    const requests = names.flatMap((name) =>
      paths
        .slice(0, isOutOfReach(route) ? 1 : undefined)
        .flatMap((path) =>
          bodiesOf(route.route, person, values).map((body) => () => call(name, path, body)),
        ),
    )
    // Changes of one person follow each other, as those of one object do.
    lanes.push(...(route.method === 'GET' ? requests.map((request) => [request]) : [requests]))
  }
  await Promise.all(
    lanes.map(async (requests) => {
      for (const request of requests) await request()
    }),
  )
}

/** No caller has a scope of the route: the guard refuses them before it reads path, query or body. */
const isOutOfReach = ({ access }: Route) =>
  [access]
    .flat()
    .every(
      (scope) =>
        scope.includes(':') && ![...scopesOf.User, ...organizationKeyScopes].includes(scope),
    )

/** Every one of these callers lacks its scope: those of an organization do not count there. */
const isForOperators = ({ access }: Route) =>
  [access].flat().every((scope) => scope.includes(':') && !scopesOf.User.includes(scope))

/** Routes that only refuse these callers, with the reason. */
const refusingRoutes = Object.fromEntries(
  Object.entries({
    'It needs a code, a token or a signature, and answers about the account of the caller.': [
      'POST /account/2fa',
      'POST /account/2fa/backup_disable',
      'POST /account/2fa/confirm',
      'POST /account/2fa/disable',
      'POST /account/2fa/enable',
      'POST /account/2fa/sms_code',
      'POST /auth/2fa',
      'POST /auth/exchange',
      'POST /auth/token',
      'POST /auth/token/refresh',
      'POST /emoji_id/:emoji_id/generate_signature',
      'POST /pubkeys/:pubkey',
      'POST /pubkeys/:pubkey/prove',
      'POST /transfers/:transfer_id/receiver_accept',
      'POST /transfers/:transfer_id/sender_accept',
      'POST /transfers/incoming/confirm_email',
      'POST /wallets',
      'POST /webhooks/:provider',
    ],
    'It needs a payment provider or a checkout, and answers with the cart of the caller.': [
      'DELETE /cart/cart_items/:cart_item_id',
      'DELETE /cart/promo_code/:code_id',
      'DELETE /payment_methods/:id',
      'POST /cart/checkout',
      'POST /cart/checkout/:id',
      'POST /cart/convert_to_draft',
      'POST /cart/promo_code',
      'POST /codes/:code_id/random_yat',
      'POST /payment_methods/:id/default',
    ],
    'Its answer is empty, or what the caller sent.': [
      'DELETE /account/applications/:client_id',
      'DELETE /account/invitations/:invitation_id',
      'DELETE /account/sessions',
      'DELETE /account/sessions/:id',
      'DELETE /admin/oauth_clients/:id/secrets/:secret_id',
      'DELETE /api_keys/:id',
      'DELETE /codes/:code_id/pubkeys/:pubkey',
      'DELETE /emoji_id/:emoji_id',
      'DELETE /emoji_id/:emoji_id/waiting_change',
      'DELETE /organizations/:id/membership',
      'DELETE /users/:id',
      'DELETE /wallets/:eth_address',
      'GET /emoji_id/',
      'GET /pictures/:file',
      'GET /redirect',
      'POST /codes/:code_id/pubkeys/:pubkey',
      'POST /webhook_endpoints/:id/deliveries/:delivery_id/redeliver',
      'POST /webhook_endpoints/:id/replay',
    ],
  }).flatMap(([reason, names]) => names.map((name) => [name, reason])),
)

describe('no answer tells who another person is', () => {
  it.each(walkedRoutes.map((route) => [route.route, route] as const))(
    'at %s',
    async (_name, route) => {
      await walk(route)
    },
  )

  it('at every route for people, which answers one of the callers or is exempt for a reason', () => {
    const missing = walkedRoutes
      .filter((route) => !answeredRoutes.has(route.route) && !isForOperators(route))
      .map(({ route }) => route)
    expect(missing.sort()).toEqual(Object.keys(refusingRoutes).sort())
  })

  it('at the pages of the sites', async () => {
    const sites = pages.filter(({ method, url }) => method === 'GET' && !url.startsWith('/api'))
    expect(sites.length).toBeGreaterThan(50)
    for (const { url } of sites) {
      for (const path of pathsOf(url, valuesFor(buyer)))
        assertHidden(`GET ${path}`, await service.get(path))
    }
  })

  it('at the forms of the sites, and at the token endpoint of applications', async () => {
    const forms = pages.filter(({ method, url }) => method === 'POST' && !url.startsWith('/api'))
    expect(forms.map(({ url }) => url)).toContain('/auth/token')
    expect(forms.length).toBeGreaterThan(20)
    const values = valuesFor(buyer)
    const fieldsFor = (place: number) =>
      Object.entries({
        ...values,
        client_id: [application.client_id],
        client_secret: [application.client_secret],
        redirect_uri: [callbackUrl],
        response_type: ['code'],
        scope: ['svc'],
        svc: [victimsId],
        grant_type: ['authorization_code', 'refresh_token'],
        code: [signedIn.tokens.access_token],
        refresh_token: [signedIn.tokens.refresh_token],
        token: [randomUUID()],
      }).map(([name, of]) => [name, of[place] ?? of[0] ?? ''] as const)
    for (const browser of browsers) await browser.open(application.at())
    for (const { url } of forms) {
      for (const place of [0, 1]) {
        const fields = Object.fromEntries(fieldsFor(place))
        for (const path of pathsOf(url, values)) {
          for (const browser of browsers)
            assertHidden(
              `POST ${path}`,
              await browser.send(`${path}?${new URLSearchParams(fields)}`, fields),
            )
        }
      }
    }
  })

  it('in webhooks and emails to a partner and a buyer', async () => {
    await service.settle()
    const mails = [partner, buyer].flatMap(({ email }) => service.mailsTo(email))
    expect([receiver.received.length > 0, mails.length > 0]).toEqual([true, true])
    for (const { body } of receiver.received) assertNoSecret('webhook', body)
    for (const { subject, text } of mails) assertNoSecret(`email ${subject}`, String(text))
  })

  it('in the access token of an application', () => {
    assertNoSecret('token', JSON.stringify(claimsOf(signedIn.tokens.access_token)))
  })
})
