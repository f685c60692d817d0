import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type OwnPage, ownPage, partnerWith } from '../support/own-pages.ts'
import {
  callsWith,
  claimsOf,
  goodPassword,
  type MailedService,
  mailedService,
  type Person,
  press,
  register,
  registerAs,
  setNewPassword,
  submit,
  type Tokens,
} from '../support/people.ts'

const back = 'https://wallet.example.com/back'
let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await mailedService()
  admin = await registerAs(service, 'Super')
  await partnerWith(admin, 'wallet-one', back)
  await partnerWith(admin, 'wallet-two', 'wallettwo://done')
})
afterAll(() => service.close())

/** A partner registered the user with an email address alone, as a stranger can. */
const registered = () => register(service, { password: null })

const visit = (page: OwnPage, { tokens }: Person) =>
  page('/partner/wallet-one/visit', { refresh_token: tokens.refresh_token })

async function arrive(page: OwnPage, person: Person) {
  expect((await visit(page, person)).status).toBe(200)
  const confirmed = await page('/partner/wallet-one/confirm', { user_id: person.id })
  expect(confirmed.status).toBe(200)
}

type Opened = { count?: number; password?: string | undefined }

/** The tokens after the mailed link, with a first password or without. */
async function tokensByLink(email: string, { count = 1, password }: Opened = {}) {
  const choice = await press(service, await service.linkTo(email, count))
  const token = /name="token" value="([^"]+)"/.exec(choice.body)?.[1] ?? ''
  const path = password ? '/auth/first_password' : '/auth/first_password/skip'
  const next = await submit(service, path, { token, ...(password ? { password } : {}) })
  const code = new URL(next.headers.get('location') ?? '').searchParams.get('code')
  return (await service.post('/api/auth/exchange', { code })).json<Tokens>()
}

/** Opens the mailed link and signs this browser in, as the pages do. */
async function openLink(page: OwnPage, email: string, opened: Opened = {}) {
  const { refresh_token } = await tokensByLink(email, opened)
  expect((await page('/session', { refresh_token, take_over: true })).status).toBe(200)
}

async function returnTo(page: OwnPage, path = 'wallet-one') {
  const evil = { return_url: 'https://evil.example', redirect_uri: 'https://evil.example' }
  const answer = await page(`/partner/${path}/return`, { action: 'create', ...evil })
  const { location } = answer.json<{ location: string }>()
  const url = new URL(location)
  return { url, token: url.searchParams.get('refresh_token') }
}

const refresh = (refresh_token: string | null) =>
  service.post('/api/auth/token/refresh', { refresh_token })

/** The calls of the person who is signed in at this page. */
async function signedIn(page: OwnPage) {
  const { access_token } = (await page('/session/token', {})).json<Tokens>()
  return callsWith(service, { access_token })
}

type Listed = { id: string; kind: string }[]
const devicesOf = async (page: OwnPage) =>
  (await (await signedIn(page)).get('/api/account/sessions'))
    .json<Listed>()
    .filter(({ kind }) => kind === 'device')

describe('Return from flow 1 or 2: refresh_token', () => {
  it.each([undefined, goodPassword])(
    'is a new working one if the first mailed link revoked the sent one (password: %s)',
    async (password) => {
      const [page, anna] = [ownPage(service), await registered()]
      await arrive(page, anna)
      await openLink(page, anna.email, { password })
      const { url, token } = await returnTo(page)
      expect(url.origin + url.pathname).toBe(back)
      expect(token).not.toBe(anna.tokens.refresh_token)
      expect(await devicesOf(page)).toHaveLength(1)

      const refreshed = await refresh(token)
      expect(refreshed.status).toBe(200)
      const { access_token } = refreshed.json<Tokens>()
      expect(claimsOf(access_token)['sub']).toBe(anna.id)
      expect((await refresh(anna.tokens.refresh_token)).status).toBe(401)
      // The link proves the mailbox to the person only: the partner can set no first password.
      const taken = await callsWith(service, { access_token }).patch('/api/account', {
        password: 'a password of the partner',
      })
      expect(taken.status).toBe(422)
    },
  )

  it('is the same one if the account was claimed before', async () => {
    const [page, anna] = [ownPage(service), await registered()]
    const tokens = await tokensByLink(anna.email)
    await arrive(page, { ...anna, tokens })
    await service.post('/api/auth/magic_link', { email: anna.email })
    await openLink(page, anna.email, { count: 2 })
    expect((await returnTo(page)).token).toBe(tokens.refresh_token)
    expect((await refresh(tokens.refresh_token)).status).toBe(200)
  })
})

describe('an attacker who registered the victim’s address (T25)', () => {
  it('gets no token: not with the old one, and not in the attacker’s browser', async () => {
    const [victim, mallory] = [ownPage(service), ownPage(service)]
    const account = await registered()
    await arrive(mallory, account)
    await arrive(victim, account)
    await openLink(victim, account.email)

    expect((await returnTo(mallory)).token).toBeNull()
    expect((await visit(mallory, account)).status).toBe(401)
    expect((await returnTo(mallory)).token).toBeNull()
    expect((await refresh(account.tokens.refresh_token)).status).toBe(401)
    // A partner gets it only in the browser of the person who confirmed.
    expect((await refresh((await returnTo(victim)).token)).status).toBe(200)
  })

  it('gives no partner a token without the confirmation of the account', async () => {
    const [victim, account] = [ownPage(service), await registered()]
    expect((await visit(victim, account)).status).toBe(200)
    await openLink(victim, account.email)
    expect((await returnTo(victim)).token).toBeNull()
    // The account cannot be confirmed afterwards, nor can another visit start with the old token.
    const late = await victim('/partner/wallet-one/confirm', { user_id: account.id })
    expect(late.status).toBe(401)
    expect((await returnTo(victim)).token).toBeNull()
    expect((await visit(victim, account)).status).toBe(401)
    expect((await returnTo(victim)).token).toBeNull()
  })
})

describe('returns without a token', () => {
  it('if the link was opened in another browser', async () => {
    const [page, other, anna] = [ownPage(service), ownPage(service), await registered()]
    await arrive(page, anna)
    await openLink(other, anna.email)
    expect((await returnTo(other)).token).toBeNull()
    await service.post('/api/auth/magic_link', { email: anna.email })
    await openLink(page, anna.email, { count: 2 })
    expect((await returnTo(page)).token).toBeNull()
  })

  it('if another visit replaced this one, with a token or without', async () => {
    for (const replace of [
      (page: OwnPage) => page('/partner/wallet-one/visit', {}),
      async (page: OwnPage) => visit(page, await registered()),
      async (page: OwnPage) => visit(page, { ...(await registered()), tokens: await unknown() }),
    ]) {
      const [page, anna] = [ownPage(service), await registered()]
      await arrive(page, anna)
      await replace(page)
      await openLink(page, anna.email)
      expect((await returnTo(page)).token).toBeNull()
    }
  })

  it('at another partner, and to a link that was not agreed', async () => {
    const [page, anna] = [ownPage(service), await registered()]
    await arrive(page, anna)
    await openLink(page, anna.email)
    const { url } = await returnTo(page, 'wallet-two')
    expect(url.href).toBe('wallettwo://done?action=create')
    expect((await page('/partner/unknown/return', {})).status).toBe(404)
  })

  it('if the token was revoked before the link was opened', async () => {
    const revocations = [
      ({ post }: Person) => post('/api/logout'),
      async ({ get, delete: remove }: Person) => {
        const listed = (await get('/api/account/sessions')).json<Listed>()
        const device = listed.find(({ kind }) => kind === 'device')
        return remove(`/api/account/sessions/${device?.id}`)
      },
    ]
    for (const revoke of revocations) {
      const [page, anna] = [ownPage(service), await registered()]
      await arrive(page, anna)
      expect((await revoke(anna)).status).toBe(200)
      await openLink(page, anna.email, { password: goodPassword })
      expect((await returnTo(page)).token).toBeNull()
    }
  })

  it('after a password reset or a sign-out', async () => {
    const [page, anna] = [ownPage(service), await registered()]
    await arrive(page, anna)
    await service.post('/api/auth/password_reset', { email: anna.email })
    const { tokens } = await setNewPassword(service, anna.email)
    await page('/session', { refresh_token: tokens.refresh_token, take_over: true })
    expect((await returnTo(page)).token).toBeNull()

    const [other, ben] = [ownPage(service), await registered()]
    await arrive(other, ben)
    await openLink(other, ben.email)
    await (await signedIn(other)).post('/api/logout')
    expect((await returnTo(other)).token).toBeNull()
  })
})

describe('a repeated return', () => {
  it('has the one token of the visit, also if several come at once', async () => {
    const [page, anna] = [ownPage(service), await registered()]
    await arrive(page, anna)
    await openLink(page, anna.email)
    const returned = await Promise.all(Array.from({ length: 5 }, () => returnTo(page)))
    const tokens = new Set(returned.map(({ token }) => token))
    expect(tokens.size).toBe(1)
    expect(await devicesOf(page)).toHaveLength(1)
  })

  it('does not restore a session that the person ended', async () => {
    const [page, anna] = [ownPage(service), await registered()]
    await arrive(page, anna)
    await openLink(page, anna.email)
    const { token } = await returnTo(page)
    const [device] = await devicesOf(page)
    await (await signedIn(page)).delete(`/api/account/sessions/${device?.id}`)
    expect((await refresh(token)).status).toBe(401)
    expect((await returnTo(page)).token).toBeNull()
  })
})

const unknown = async (): Promise<Tokens> => ({
  access_token: '',
  refresh_token: `rt_${'x'.repeat(43)}`,
  has_password: false,
  requires_2fa: null,
})
