import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { grant } from '../../../test/support/ids.ts'
import { type OwnPage, ownPage, partnerWith } from '../../../test/support/own-pages.ts'
import {
  claimsOf,
  goodPassword,
  newcomer,
  type Person,
  registerAs,
} from '../../../test/support/people.ts'
import { enableApp } from '../../../test/support/second-factor.ts'
import type { TestService } from '../../../test/support/service.ts'
import { sharedService } from '../../../test/support/shared-service.ts'

const returnUrl = 'https://wallet.example.com/back?from=directory'
let service: TestService
let admin: Person
let path: string

beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Super')
  path = await partnerWith(admin, 'wallet-one', returnUrl)
})

type Ask = OwnPage
const browser = () => ownPage(service)
/** A person arrives with a token, sees the account and confirms it. */
async function arrive(ask: Ask, { id, tokens }: Person) {
  const { refresh_token } = tokens
  expect((await ask(`/partner/${path}/visit`, { refresh_token })).status).toBe(200)
  expect((await ask(`/partner/${path}/confirm`, { user_id: id })).status).toBe(200)
}
/** The account that the browser is signed in to. */
async function accountOf(ask: Ask): Promise<unknown> {
  const { access_token } = (await ask('/session/token', {})).json<{ access_token: string }>()
  return access_token ? claimsOf(access_token)['sub'] : null
}
const locationOf = (answer: { json<Shape>(): Shape }) =>
  new URL(answer.json<{ location: string }>().location)

it('a partner visit returns exactly the received token to the partner, still valid (T41)', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const { refresh_token } = person.tokens
  const id = await grant(admin, { user_id: person.id })
  const ask = browser()
  await arrive(ask, person)

  const answer = await ask(`/partner/${path}/return`, { eid: id, action: 'create' })
  expect(answer.json()).toEqual({
    location: `${returnUrl}&eid=${encodeURIComponent(id)}&refresh_token=${refresh_token}&action=create`,
  })
  expect((await service.post('/api/auth/token/refresh', { refresh_token })).status).toBe(200)
})

it.each(['with a token', 'without a token'])(
  'a partner visit %s keeps the return link that it began with (T82)',
  async (kind) => {
    const former = `https://wallet.example.com/${randomUUID()}`
    const moving = await partnerWith(admin, `p-${randomUUID()}`, former)
    const person = await newcomer(service, { password: goodPassword })
    const refresh_token = kind === 'with a token' ? person.tokens.refresh_token : ''
    const begun = browser()
    await begun(`/partner/${moving}/visit`, { refresh_token })
    if (refresh_token) await begun(`/partner/${moving}/confirm`, { user_id: person.id })
    const evil = { currencies: [], return_link: 'https://evil.example.com/' }
    const change = await admin.put(`/api/organizations/${moving}/branding`, evil)
    expect(change.status).toBe(200)
    const lead = async (ask: Ask) =>
      locationOf(await ask(`/partner/${moving}/return`, { action: 'create' }))
    const back = await lead(begun)
    expect(back.origin + back.pathname).toBe(former)
    expect(back.searchParams.get('refresh_token')).toBe(refresh_token || null)
    // A browser whose visit is unknown gets no token at the new link.
    const unknown = await lead(browser())
    expect(unknown.href).toBe(`${evil.return_link}?action=create`)
    const later = browser()
    await later(`/partner/${moving}/visit`, { refresh_token: '' })
    expect((await lead(later)).origin).toBe('https://evil.example.com')
  },
)

it('a partner visit names the account, and changes no sign-in before the person confirms (T120)', async () => {
  const [anna, ben] = [
    await newcomer(service, { password: goodPassword }),
    await newcomer(service, { password: goodPassword }),
  ]
  const ask = browser()
  const visit = { refresh_token: anna.tokens.refresh_token }
  const response = await ask(`/partner/${path}/visit`, visit)
  expect(response.json()).toEqual({
    account: { id: anna.id, name: anna.email, has_address: true, is_confirmed: false },
  })
  expect(await accountOf(ask)).toBeNull()

  await ask('/session', { refresh_token: ben.tokens.refresh_token })
  await ask(`/partner/${path}/visit`, visit)
  expect(await accountOf(ask)).toBe(ben.id)
  expect(locationOf(await ask(`/partner/${path}/return`, {})).href).toBe(returnUrl)
  await ask(`/partner/${path}/confirm`, { user_id: anna.id })
  expect(await accountOf(ask)).toBe(anna.id)
})

it('a partner visit rejects a confirmation for another account or another partner', async () => {
  const [anna, ben] = [
    await newcomer(service, { password: goodPassword }),
    await newcomer(service, { password: goodPassword }),
  ]
  const ask = browser()
  expect((await ask(`/partner/${path}/confirm`, { user_id: anna.id })).status).toBe(422)
  for (const { tokens } of [anna, ben])
    await ask(`/partner/${path}/visit`, { refresh_token: tokens.refresh_token })
  for (const user_id of [anna.id, '', undefined])
    expect((await ask(`/partner/${path}/confirm`, { user_id })).status).toBe(422)
  const other = await partnerWith(admin, 'wallet-three', returnUrl)
  expect((await ask(`/partner/${other}/confirm`, { user_id: ben.id })).status).toBe(422)
  expect(await accountOf(ask)).toBeNull()
  expect((await ask(`/partner/${path}/confirm`, { user_id: ben.id })).status).toBe(200)
})

it('a partner visit closes the session of a replaced visit', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const { refresh_token } = person.tokens
  const ask = browser()
  type SessionList = { kind: string }[]
  const open = async () =>
    (await person.get('/api/account/sessions'))
      .json<SessionList>()
      .filter(({ kind }) => kind === 'web').length
  for (let times = 0; times < 3; times++) await ask(`/partner/${path}/visit`, { refresh_token })
  expect(await open()).toBe(1)
  await ask(`/partner/${path}/visit`, {})
  expect(await open()).toBe(0)
})

it('a partner visit continues after the partner rotated the token before the confirmation', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const { refresh_token } = person.tokens
  const ask = browser()
  await ask(`/partner/${path}/visit`, { refresh_token })
  const next = await service.post('/api/auth/token/refresh', { refresh_token })
  service.clock.advance(90_000)
  expect((await ask(`/partner/${path}/confirm`, { user_id: person.id })).status).toBe(200)
  const newer = { refresh_token: next.json<{ refresh_token: string }>().refresh_token }
  expect((await service.post('/api/auth/token/refresh', newer)).status).toBe(200)
})

it('a partner visit reports only ids of the account, and only to the partner (T82)', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const ask = browser()
  await arrive(ask, person)
  for (const eid of ['🔥🐍🔥🐍', 'nonsense', '']) {
    const more = { return_url: 'https://evil.example', redirect_uri: 'https://evil.example' }
    const url = locationOf(await ask(`/partner/${path}/return`, { eid, action: 'evil', ...more }))
    expect(`${url.origin}${url.pathname}`).toBe('https://wallet.example.com/back')
    expect([...url.searchParams.keys()]).toEqual(['from', 'refresh_token'])
  }
})

it('a partner visit returns no token if none was sent, not even that of an earlier visit', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const ask = browser()
  await arrive(ask, person)
  await ask(`/partner/${path}/visit`, {})
  const url = locationOf(await ask(`/partner/${path}/return`, {}))
  expect(url.href).toBe(returnUrl)
})

it('a partner visit does not hand the token of one person to another', async () => {
  const [alice, bob] = [
    await newcomer(service, { password: goodPassword }),
    await newcomer(service, { password: goodPassword }),
  ]
  const ask = browser()
  await arrive(ask, alice)
  await ask('/session', { refresh_token: bob.tokens.refresh_token })
  const url = locationOf(await ask(`/partner/${path}/return`, {}))
  expect(url.href).toBe(returnUrl)
})

it('a partner visit does not hand the token of one partner to another', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const other = await partnerWith(admin, 'wallet-two', 'wallettwo://done')
  const ask = browser()
  await arrive(ask, person)
  const url = locationOf(await ask(`/partner/${other}/return`, { action: 'manage' }))
  expect(url.href).toBe('wallettwo://done?action=manage')
})

it('a partner visit rejects an unknown partner, and a token that still needs a code', async () => {
  const person = await newcomer(service, { password: goodPassword })
  const ask = browser()
  expect((await ask('/partner/unknown/visit', {})).status).toBe(404)
  expect((await ask('/partner/unknown/return', {})).status).toBe(404)
  await enableApp(service, person)
  const login = await service.post('/api/auth/token', person)
  const { refresh_token } = login.json<{ refresh_token: string }>()
  expect((await ask(`/partner/${path}/visit`, { refresh_token })).status).toBe(401)
})
