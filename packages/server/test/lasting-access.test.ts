import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { collectRoutes, shapeOf } from './support/access.ts'
import { adminAtAnyTime } from './support/applications.ts'
import { at, grant } from './support/ids.ts'
import { ownPage, partnerWith } from './support/own-pages.ts'
import {
  callsWithKey,
  goodPassword,
  later,
  logIn,
  type MailedService,
  mailedService,
  newcomer,
  newEmail,
  type Person,
  registerAs,
} from './support/people.ts'
import { keyPair } from './support/schnorr.ts'
import { enableApp, enterCode } from './support/second-factor.ts'
import type { Answer } from './support/service.ts'
import { stopTheClock } from './support/stopped-clock.ts'

const { routes, override } = collectRoutes()
let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await mailedService({ override })
  admin = await adminAtAnyTime(service)
})
afterAll(() => service.close())

/** Their result outlives the session: the route requires the person. */
const lasting = [
  'POST /api_keys',
  'POST /pubkeys',
  'POST /pubkeys/{}',
  'POST /pubkeys/{}/prove',
  'POST /users/{}/pubkeys/{}',
  'POST /codes/{}/pubkeys/{}',
  'POST /admin/oauth_clients',
  'PATCH /admin/oauth_clients/{}',
  'POST /admin/oauth_clients/{}/secrets',
  'PUT /admin/organizations/{}/members/{}',
  'POST /admin/organizations/{}/invitations',
  'POST /account/invitations/{}/accept',
  'POST /organizations/{}/membership/accept',
  'POST /webhook_endpoints',
  'POST /webhook_endpoints/{}/rotate',
  'POST /emoji_id/{}/generate_signature',
  'PUT /emoji_id/{}/delay_lock',
  'POST /orders/{}/refund_request',
]
/** Only a part does, for which the use case requires the person. The tests below have each part. */
const lastingInPart = [
  'POST /account/2fa',
  'POST /account/2fa/enable',
  'PATCH /account',
  'PATCH /users/{}',
  'PATCH /admin/organizations/{}',
  'PUT /organizations/{}/branding',
  'PATCH /webhook_endpoints/{}',
]
/** They give no access that outlives the session. */
const fleeting = {
  'a code that only the owner of the account, mailbox or phone has makes it': [
    'POST /users',
    'POST /account/2fa/confirm',
    'POST /account/2fa/sms_code',
    'POST /transfers/incoming/confirm_email',
  ],
  'ends or restricts access': [
    'POST /logout',
    'POST /account/2fa/disable',
    'POST /admin/users/{}/remove_2fa',
    'POST /admin/users/{}/activate',
    'POST /admin/users/{}/deactivate',
    'PUT /admin/users/{}/features',
    'POST /account/notifications/read',
    'PATCH /admin/webhook_endpoints/{}',
    'POST /admin/jobs/{}/retry',
    'POST /admin/reports/{}/decide',
  ],
  'wallets grant nothing, and the wallet signs the proof': [
    'POST /wallets',
    'POST /wallets/challenge',
  ],
  'an organization without members': ['POST /admin/organizations'],
  'content of ids, which their owner or operators can change back': [
    'PATCH /emoji_id/{}',
    'POST /emoji_id/{}/json/{}',
    'PUT /admin/emoji_ids/{}/json/{}/lock',
    'POST /admin/emoji_ids/{}/suspend',
    'POST /admin/emoji_ids/{}/restore',
    'PUT /admin/emoji_ids/{}/minted',
  ],
  'ids and money, whose movements have their own codes, emails and limits': [
    'POST /transfers',
    'POST /transfers/{}/sender_accept',
    'POST /transfers/{}/receiver_accept',
    'POST /transfers/{}/resend_code',
    'POST /admin/emoji_ids',
    'POST /admin/emoji_ids/import',
    'POST /admin/reserved_ids/import',
    'POST /admin/prices',
    'POST /cart',
    'POST /cart/convert_to_draft',
    'POST /cart/checkout',
    'POST /cart/checkout/{}',
    'POST /cart/promo_code',
    'POST /codes/{}/random_yat',
    'POST /admin/codes',
    'PATCH /admin/codes/{}',
    'POST /orders/{}/resend_confirmation',
    'POST /orders/{}/refund_request/decline',
    'POST /orders/{}/refund',
    'POST /orders/{}/misc_refund',
    'POST /orders/{}/payment_override',
    'POST /refunds/{}/given',
    'POST /disputes/{}/take_back',
    'POST /disputes/{}/leave',
    'POST /payment_methods/{}/default',
    'POST /user_interests',
    'POST /lootbox_type',
    'POST /lootbox_type/generate',
    'POST /lootboxes',
    'PATCH /lootboxes/{}',
    'POST /lootboxes/{}/open',
  ],
  'reads, or sends again to an address that a person set up': [
    'POST /proxy',
    'POST /webhook_endpoints/{}/test',
    'POST /webhook_endpoints/{}/deliveries/{}/redeliver',
    'POST /webhook_endpoints/{}/replay',
  ],
}

const writingRoutes = () =>
  routes.filter(
    ({ method, access }) => ['POST', 'PUT', 'PATCH'].includes(method) && access !== 'public',
  )
const statusAndCode = (answer: Answer) => [answer.status, answer.json()['code']]
const tooOld = [403, 'old_login']
const forPeopleOnly = [403, 'insufficient_scope']
const callAt = (path: string) =>
  path.replaceAll(/:(\w+)/g, (_, name) =>
    name === 'pubkey' ? keyPair().pubkey : name.startsWith('e') ? '%F0%9F%A6%80' : randomUUID(),
  )

describe('every writing operation', () => {
  it('every writing operation is known to give lasting access, in whole or in part, or none', () => {
    const known = [...lasting, ...lastingInPart, ...Object.values(fleeting).flat()]
    const unknown = writingRoutes()
      .map(({ route }) => shapeOf(route))
      .filter((route) => !known.includes(route))
    expect(
      unknown,
      'Decide what a thief with a token of 15 minutes would keep: a key, a secret, an address that ' +
        'receives tokens or events, or a right. If anything, declare sensitive: ' +
        '’code_or_sign_in’, or call assertPerson in the use case. Then add the operation to a list ' +
        'of this test.',
    ).toEqual([])
    const existing = writingRoutes().map(({ route }) => shapeOf(route))
    expect(known.filter((route) => !existing.includes(route))).toEqual([])
  })

  it('requires a code or a recent sign-in at the route exactly if what it makes lasts', () => {
    const strict = writingRoutes().filter(({ asksSignIn }) => asksSignIn)
    expect(strict.map(({ route }) => shapeOf(route)).toSorted()).toEqual(lasting.toSorted())
  })
})

describe('an operation with lasting access (T127)', () => {
  const callEach = async (call: (method: string, path: string) => Promise<Answer>) => {
    const seen: Record<string, unknown[]> = {}
    for (const { route, method, url } of writingRoutes().filter(({ asksSignIn }) => asksSignIn)) {
      const answer = await call(method, `/api${callAt(url)}`)
      seen[shapeOf(route)] = statusAndCode(answer)
    }
    return seen
  }
  const callsOf =
    (by: Pick<Person, 'post' | 'put' | 'patch'>) =>
    (method: string, path: string): Promise<Answer> =>
      by[method.toLowerCase() as 'post'](path, {})

  it('an operation with lasting access (T127) is refused to an old sign-in and to API keys, and open to a recent sign-in', async () => {
    const person = await registerAs(service, 'Super')
    const key = await callsWithKey(service, person)
    const recent = Object.values(await callEach(callsOf(person)))
    expect(recent.filter(([status]) => status === 403 || status === 424)).toEqual([])
    const old = await callEach(callsOf(await later(service, person.tokens)))
    expect(old).toEqual(Object.fromEntries(lasting.map((route) => [route, tooOld])))
    const byKey = await callEach(callsOf(key))
    expect(byKey).toEqual(Object.fromEntries(lasting.map((route) => [route, forPeopleOnly])))
  })

  it('requires a fresh code of an account with a second factor, and no recent sign-in', async () => {
    stopTheClock()
    const person = await registerAs(service, 'Super')
    const { app } = await enableApp(service, person)
    const old = await later(service, person.tokens)
    const refused = Object.values(await callEach(callsOf(old)))
    expect(new Set(refused.map(([status]) => status))).toEqual(new Set([424]))
    const fresh = await enterCode(service, old.tokens, app.next())
    const open = Object.values(await callEach(callsOf(fresh)))
    expect(open.filter(([status]) => status === 403 || status === 424)).toEqual([])
  })
})

describe('lasting access in a part of an operation (T127)', () => {
  /** An owner of an organization with a webhook endpoint, later, and a key made before. */
  async function ownerLater() {
    const path = `p-${randomUUID()}`
    await partnerWith(admin, path, 'https://wallet.example.com/back')
    const { organization_id } = (await service.get(`/api/organizations/${path}/branding`)).json<{
      organization_id: string
    }>()
    const owner = await newcomer(service, { password: goodPassword, isVerified: true })
    await admin.put(`/api/admin/organizations/${organization_id}/members/${owner.id}`, {
      role: 'OrgOwner',
    })
    const endpoint = await owner.post('/api/webhook_endpoints', { url: 'http://127.0.0.1:9/' })
    const { id: endpoint_id } = endpoint.json<{ id: string }>()
    const scopes = ['organization:write', 'webhook:write', 'user:writeSelf']
    const key = await callsWithKey(service, owner, scopes)
    const old = await later(service, owner.tokens)
    return { owner, organization_id, endpoint: `/api/webhook_endpoints/${endpoint_id}`, key, old }
  }
  const branding = (id: string) => `/api/organizations/${id}/branding`
  const moved = { currencies: ['BTC'], return_link: 'https://evil.example.com/' }

  it('lasting access in a part of an operation (T127) is refused for a return link, whose colours and texts stay open to keys', async () => {
    const { organization_id, key, old, owner } = await ownerLater()
    const path = branding(organization_id)
    const before = (await service.get(path)).json<{ return_link: string }>()
    const variants = [moved, { ...moved, return_link: `${before.return_link}?` }]
    for (const variant of variants) {
      expect(statusAndCode(await key.put(path, variant))).toEqual(forPeopleOnly)
      expect(statusAndCode(await old.put(path, variant))).toEqual(tooOld)
    }
    expect((await service.get(path)).json()).toEqual(before)
    const looks = { currencies: ['BTC', 'ETH'], return_link: before.return_link }
    const logo = 'https://wallet.example.com/logo.svg'
    for (const by of [key, old]) expect((await by.put(path, { ...looks, logo })).status).toBe(200)
    const second = await newcomer(service, { isVerified: true })
    const members = `/api/admin/organizations/${organization_id}/members`
    await admin.put(`${members}/${second.id}`, { role: 'OrgOwner' })
    const fresh = await logIn(service, owner)
    expect((await fresh.put(path, moved)).status).toBe(200)
    await service.settle()
    for (const { email } of [owner, second]) {
      const mails = service
        .mailsTo(email)
        .filter(({ subject }) => subject === 'The return link of your organization changed')
      expect(mails).toHaveLength(1)
      expect(mails[0]?.text).toContain(moved.return_link)
    }
  })

  it('lasting access in a part of an operation (T127) is refused for the address of a webhook, whose types and pauses stay open to keys', async () => {
    const { endpoint, key, old, owner } = await ownerLater()
    const url = 'http://127.0.0.1:10/'
    expect(statusAndCode(await key.patch(endpoint, { url }))).toEqual(forPeopleOnly)
    expect(statusAndCode(await old.patch(endpoint, { url }))).toEqual(tooOld)
    const types = ['emoji_id.transferred']
    for (const by of [key, old]) {
      expect((await by.patch(endpoint, { types, is_paused: true })).status).toBe(200)
    }
    expect((await (await logIn(service, owner)).patch(endpoint, { url })).status).toBe(200)
  })

  it('lasting access in a part of an operation (T127) is refused for a partner path, a role, a password and an address', async () => {
    const operator = await registerAs(service, 'Super')
    const key = await callsWithKey(service, operator)
    const old = await later(service, operator.tokens)
    const { id } = await newcomer(service)
    const organization = (await admin.post('/api/admin/organizations', { name: 'Crabs' })).json<{
      id: string
    }>()
    const parts = [
      [`/api/admin/organizations/${organization.id}`, { partner_path: `p-${randomUUID()}` }],
      [`/api/users/${id}`, { role: 'Admin', reason: 'Joined us' }],
      [`/api/users/${id}`, { password: goodPassword }],
      [`/api/users/${id}`, { email: newEmail() }],
    ] as const
    for (const [path, change] of parts) {
      expect(statusAndCode(await key.patch(path, change))).toEqual(forPeopleOnly)
      expect(statusAndCode(await old.patch(path, change))).toEqual(tooOld)
    }
    const names = [
      [`/api/admin/organizations/${organization.id}`, { name: 'Lobsters' }],
      [`/api/users/${id}`, { first_name: 'Ada' }],
    ] as const
    for (const [path, change] of names) {
      expect((await key.patch(path, change)).status).toBe(200)
      expect((await old.patch(path, change)).status).toBe(200)
    }
  })

  it('lasting access in a part of an operation (T127) is refused for the own address and second factor without the password', async () => {
    const { key, old, owner } = await ownerLater()
    const email = newEmail()
    const factor = { provider: 'AuthenticatorApp' }
    for (const by of [key, old]) {
      expect(statusAndCode(await by.patch('/api/account', { email }))).toEqual([
        422,
        'wrong_password',
      ])
    }
    for (const path of ['/api/account/2fa', '/api/account/2fa/enable']) {
      expect(statusAndCode(await old.post(path, factor))).toEqual(tooOld)
      expect(statusAndCode(await key.post(path, factor))).toEqual(forPeopleOnly)
      const proven = { ...factor, current_password: owner.password }
      expect((await old.post(path, proven)).status).toBe(200)
    }
    // Without password and confirmed address, only the session says who the person is.
    const unclaimed = await newcomer(service)
    const keyOfUnclaimed = await callsWithKey(service, unclaimed)
    expect(statusAndCode(await keyOfUnclaimed.patch('/api/account', { email }))).toEqual(
      forPeopleOnly,
    )
  })

  it('lasting access in a part of an operation (T127) is refused for passkeys at the web site until the person gives the password', async () => {
    const person = await newcomer(service, { password: goodPassword, isVerified: true })
    const page = ownPage(service)
    const { refresh_token } = person.tokens
    expect((await page('/session', { refresh_token, take_over: true })).status).toBe(200)
    service.clock.advance(16 * 60_000)
    const calls = [
      ['/session/passkeys/options', {}],
      [`/session/passkeys/${randomUUID()}/confirm`, {}],
    ] as const
    for (const [path, body] of calls) {
      expect(statusAndCode(await page(path, body))).toEqual(tooOld)
    }
    const current_password = 'not the right one'
    expect(statusAndCode(await page('/session/password', { current_password }))).toEqual([
      422,
      'wrong_password',
    ])
    expect((await page('/session/passkeys/options', {})).status).toBe(403)
    const given = await page('/session/password', { current_password: goodPassword })
    expect(given.status).toBe(200)
    expect((await page('/session/passkeys/options', {})).status).toBe(200)
    const { access_token } = given.json<{ access_token: string }>()
    const headers = { authorization: `Bearer ${access_token}` }
    const key = await service.post('/api/api_keys', { name: 'a key' }, { headers })
    expect(key.status).toBe(200)
  })

  it('lasting access in a part of an operation (T127) is not given by an empty password to an account without one', async () => {
    const person = await newcomer(service, { isVerified: true })
    const page = ownPage(service)
    await page('/session', { refresh_token: person.tokens.refresh_token, take_over: true })
    service.clock.advance(16 * 60_000)
    for (const current_password of ['', goodPassword]) {
      expect((await page('/session/password', { current_password })).status).toBe(401)
    }
    expect((await page('/session/passkeys/options', {})).status).toBe(403)
  })

  it('lasting access in a part of an operation (T127) is open to a new account for 15 minutes', async () => {
    const form = { email: newEmail(), password: goodPassword }
    const tokens = (await service.post('/api/users', form)).json<Person['tokens']>()
    const early = await later(service, tokens, 14 * 60_000)
    expect((await early.post('/api/pubkeys')).status).toBe(200)
    const late = await later(service, early.tokens, 2 * 60_000)
    expect(statusAndCode(await late.post('/api/pubkeys'))).toEqual(tooOld)
  })
})

describe('an old sign-in without a second factor', () => {
  it('still edits, gives, buys, deletes a card and disconnects a wallet, as released wallets do', async () => {
    const person = await newcomer(service, { password: goodPassword, isVerified: true })
    const operator = await registerAs(service, 'Super')
    const id = await grant(operator, { user_id: person.id })
    const old = await later(service, person.tokens)
    const record = { tag: '0x1003', data: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' }
    const answers = [
      await old.patch(at(id), { insert: [record] }),
      await old.post(at(id, '/json/SvcPageData'), { data: { a: 1 } }),
      await old.post('/api/cart', { items: [{ emoji_id: '🦀🚀🌙🍎' }] }),
      await old.post('/api/cart/checkout', { method: 'Card' }),
      await old.delete(`/api/payment_methods/${randomUUID()}`),
      await old.delete('/api/wallets/0x52908400098527886E0F7030069857D2E4169EE7'),
      await old.post('/api/transfers', { eid: id, email: newEmail() }),
    ]
    expect(answers.filter(({ status }) => status === 403).map(({ body }) => body)).toEqual([])
    expect([answers[0]?.status, answers[1]?.status, answers[6]?.status]).toEqual([200, 200, 200])
  })
})
