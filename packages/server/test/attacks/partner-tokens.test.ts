import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type OwnPage, ownPage, partnerWith } from '../support/own-pages.ts'
import {
  callsWith,
  claimsOf,
  goodPassword,
  type MailedService,
  newEmail,
  type Person,
  press,
  register,
  registerAs,
  setNewPassword,
  submit,
  type Tokens,
} from '../support/people.ts'
import { keyPair } from '../support/schnorr.ts'
import { enableApp } from '../support/second-factor.ts'
import { sharedMailedService } from '../support/shared-service.ts'

const victimsPassword = 'what only the victim knows'
const returnUrl = 'https://wallet.example.com/back'
let service: MailedService
let admin: Person
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await registerAs(service, 'Super')
  await partnerWith(admin, 'wallet-one', returnUrl)
  await partnerWith(admin, 'wallet-two', 'wallettwo://done')
})

/** A partner registered the user with an email address alone, as a stranger can. */
const registered = () => register(service, { password: null })

const visit = (page: OwnPage, { tokens }: Person) =>
  page('/partner/wallet-one/visit', { refresh_token: tokens.refresh_token })

async function arrive(page: OwnPage, person: Person) {
  expect((await visit(page, person)).status).toBe(200)
  const confirmationAnswer = await page('/partner/wallet-one/confirm', { user_id: person.id })
  expect(confirmationAnswer.status).toBe(200)
}

type LinkOptions = { count?: number; password?: string | undefined }

/** The tokens after the emailed link, with a first password or without. */
async function tokensByLink(email: string, { count = 1, password }: LinkOptions = {}) {
  const choice = await press(service, await service.linkTo(email, count))
  const token = /name="token" value="([^"]+)"/.exec(choice.body)?.[1] ?? ''
  const path = password ? '/auth/first_password' : '/auth/first_password/skip'
  const next = await submit(service, path, { token, ...(password ? { password } : {}) })
  const code = new URL(next.headers.get('location') ?? '').searchParams.get('code')
  return (await service.post('/api/auth/exchange', { code })).json<Tokens>()
}

/** Opens the emailed link and signs this browser in, as the pages do. */
async function openLink(page: OwnPage, email: string, linkOptions: LinkOptions = {}) {
  const { refresh_token } = await tokensByLink(email, linkOptions)
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

type SessionList = { id: string; kind: string }[]
const devicesOf = async (page: OwnPage) =>
  (await (await signedIn(page)).get('/api/account/sessions'))
    .json<SessionList>()
    .filter(({ kind }) => kind === 'device')

describe('Return from flow 1 or 2: refresh_token', () => {
  it('Return from flow 1 or 2: refresh_token is a new working one if the first mailed link revoked the sent one, at this partner only', async () => {
    const [page, anna] = [ownPage(service), await registered()]
    await arrive(page, anna)
    await openLink(page, anna.email)
    const { url: otherUrl } = await returnTo(page, 'wallet-two')
    expect(otherUrl.href).toBe('wallettwo://done?action=create')
    expect((await page('/partner/unknown/return', {})).status).toBe(404)
    const { url, token } = await returnTo(page)
    expect(url.origin + url.pathname).toBe(returnUrl)
    expect(token).not.toBe(anna.tokens.refresh_token)
    expect(await devicesOf(page)).toHaveLength(1)

    const refreshAnswer = await refresh(token)
    expect(refreshAnswer.status).toBe(200)
    const { access_token } = refreshAnswer.json<Tokens>()
    expect(claimsOf(access_token)['sub']).toBe(anna.id)
    expect((await refresh(anna.tokens.refresh_token)).status).toBe(401)
    // The link proves the mailbox to the person only: the partner can set no first password.
    const takenAnswer = await callsWith(service, { access_token }).patch('/api/account', {
      password: 'a password of the partner',
    })
    expect(takenAnswer.status).toBe(422)
  })

  it('Return from flow 1 or 2: refresh_token is the same one if the account was claimed before', async () => {
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
  it('an attacker who registered the victim’s address (T25) gets no token: not with the old one, and not in the attacker’s browser', async () => {
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

describe('an attacker who registered an alternate id (T25)', () => {
  const nameless = async () => {
    const name = { email: null, alternate_id: `wallet-${randomUUID()}`, source: 'Wallet' }
    return { ...(await register(service, name)), ...name }
  }
  type NamelessAccount = Awaited<ReturnType<typeof nameless>>

  /** The victim accepts the account, and adds and confirms an address in this browser. */
  async function addAddress(
    page: OwnPage,
    account: NamelessAccount,
    linkOptions: LinkOptions = {},
  ) {
    const [email, redirect] = [newEmail(), '/partner/wallet-one?continue=1']
    await arrive(page, { ...account, email })
    const change = await (await signedIn(page)).patch('/api/account', { email, redirect })
    expect(change.status).toBe(200)
    await openLink(page, email, linkOptions)
    return email
  }

  /** Gives the attacker every kind of access; returns a check of those that still work. */
  async function holdings({ tokens, alternate_id, password, ...account }: NamelessAccount) {
    const keyResponse = await account.post('/api/api_keys', { name: 'key' })
    const headers = { 'x-api-key': keyResponse.json<{ api_key: string }>().api_key }
    const { pubkey } = keyPair()
    expect((await account.post(`/api/pubkeys/${pubkey}`)).status).toBe(200)
    const second = await service.post('/api/auth/token', { alternate_id, password })
    const [other, otherEmail] = [second.json<Tokens>(), newEmail()]
    const tries: [string, () => Promise<{ status: number }>][] = [
      ['access', () => account.get('/api/account')],
      ['refresh', () => refresh(tokens.refresh_token)],
      ['other sign-in', () => refresh(other.refresh_token)],
      ['password', () => service.post('/api/auth/token', { alternate_id, password })],
      ['key', () => service.get('/api/account', { headers })],
      ['new address', () => account.patch('/api/account', { email: otherEmail })],
    ]
    return async () => {
      const remainingIds = []
      for (const [name, act] of tries) if ((await act()).status < 400) remainingIds.push(name)
      const keys = await admin.get(`/api/users/${account.id}/pubkeys`)
      return keys.json<string[]>().includes(pubkey) ? [...remainingIds, 'pubkey'] : remainingIds
    }
  }

  it('loses all access once the victim confirms a first address, and the partner gets a new token', async () => {
    const [victim, mallory, account] = [ownPage(service), ownPage(service), await nameless()]
    await arrive(mallory, { ...account, email: '' })
    const readHoldings = await holdings(account)
    const password = victimsPassword
    const email = await addAddress(victim, account, { password })

    expect(await readHoldings()).toEqual([])
    expect((await returnTo(mallory)).token).toBeNull()
    expect((await visit(mallory, { ...account, email })).status).toBe(401)
    const ownAnswer = await (await signedIn(victim)).get('/api/account')
    expect(ownAnswer.json()).toMatchObject({ user: { id: account.id, email } })
    const { token } = await returnTo(victim)
    const refreshAnswer = await refresh(token)
    expect(refreshAnswer.status).toBe(200)
    expect(claimsOf(refreshAnswer.json<Tokens>().access_token)['sub']).toBe(account.id)
    const { alternate_id } = account
    const byName = await service.post('/api/auth/token', { alternate_id, password })
    expect(byName.status).toBe(200)
  })

  it('loses all access if the attacker requests the address of the victim', async () => {
    const account = await nameless()
    const readHoldings = await holdings(account)
    const email = newEmail()
    expect((await account.patch('/api/account', { email })).status).toBe(200)
    const page = await service.get(await service.linkTo(email))
    expect(page.body).toContain('signed out everywhere else')
    await press(service, await service.linkTo(email))
    expect(await readHoldings()).toEqual([])
  })

  it('an attacker who registered an alternate id (T25) leaves no second factor behind', async () => {
    const account = await nameless()
    const { backup_codes } = await enableApp(service, account)
    const victim = ownPage(service)
    const email = await addAddress(victim, account)
    const ownAnswer = await (await signedIn(victim)).get('/api/account')
    expect(ownAnswer.json()).toMatchObject({ user: { email, two_factor_auth: null } })
    const [code] = backup_codes
    const { alternate_id, password } = account
    const names = { alternate_id, email, password, backup_code: code }
    expect((await service.post('/api/account/2fa/backup_disable', names)).status).not.toBe(200)
    expect((await refresh((await returnTo(victim)).token)).status).toBe(200)
  })

  it('an attacker who registered an alternate id (T25) gets no token if the link is opened in another browser', async () => {
    const [page, other, account] = [ownPage(service), ownPage(service), await nameless()]
    const email = newEmail()
    await arrive(page, { ...account, email })
    await (await signedIn(page)).patch('/api/account', { email })
    await openLink(other, email)
    for (const one of [page, other]) expect((await returnTo(one)).token).toBeNull()
    expect((await page('/session/token', {})).json()).toMatchObject({ access_token: null })
  })

  it('an attacker who registered an alternate id (T25) cannot lead the link of a first address to another site', async () => {
    const account = await nameless()
    for (const redirect of ['https://evil.example', '//evil.example', '/🔥', '/dev/x']) {
      const answer = await account.patch('/api/account', { email: newEmail(), redirect })
      expect([answer.status, answer.json()['code']]).toEqual([400, 'invalid_redirect'])
    }
  })
})

describe('a return to the partner', () => {
  it('a return to the partner has no token if the link was opened in another browser', async () => {
    const [page, other, anna] = [ownPage(service), ownPage(service), await registered()]
    await arrive(page, anna)
    await openLink(other, anna.email)
    expect((await returnTo(other)).token).toBeNull()
    await service.post('/api/auth/magic_link', { email: anna.email })
    await openLink(page, anna.email, { count: 2 })
    expect((await returnTo(page)).token).toBeNull()
  })

  it('a return to the partner has no token if another visit replaced this one, with a token or without', async () => {
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

  it('a return to the partner has no token if it was revoked before the link was opened', async () => {
    const revocations = [
      ({ post }: Person) => post('/api/logout'),
      async ({ get, delete: remove }: Person) => {
        const sessionList = (await get('/api/account/sessions')).json<SessionList>()
        const device = sessionList.find(({ kind }) => kind === 'device')
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

  it('a return to the partner has no token after a password reset or a sign-out', async () => {
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

it('a repeated return has the one token of the visit, until the partner rotated it or the person ended its session', async () => {
  const [page, anna] = [ownPage(service), await registered()]
  await arrive(page, anna)
  await openLink(page, anna.email)
  const returned = await Promise.all(Array.from({ length: 5 }, () => returnTo(page)))
  const [token, ...others] = new Set(returned.map((one) => one.token))
  expect(others).toEqual([])
  const [device, ...otherDevices] = await devicesOf(page)
  expect(otherDevices).toEqual([])
  const partner = (await refresh(token ?? null)).json<Tokens>()
  // Longer than the grace time in which a rotated token may be repeated.
  service.clock.advance(2 * 60_000)
  expect((await returnTo(page)).token).toBeNull()
  const rotated = await refresh(partner.refresh_token)
  expect(rotated.status).toBe(200)
  await (await signedIn(page)).delete(`/api/account/sessions/${device?.id}`)
  expect((await refresh(rotated.json<Tokens>().refresh_token)).status).toBe(401)
  expect((await returnTo(page)).token).toBeNull()
})

const unknown = async (): Promise<Tokens> => ({
  access_token: '',
  refresh_token: `rt_${'x'.repeat(43)}`,
  has_password: false,
  requires_2fa: null,
})
