import { Wallet } from 'ethers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { MemberRole } from '../../src/features/operations/access/access.ts'
import { sha256 } from '../../src/platform/crypto/sha256.ts'
import { networkOf } from '../../src/platform/http/network.ts'
import { dayMs } from '../../src/platform/time.ts'
import {
  type Application,
  type ApplicationTokens,
  adminAtAnyTime,
  chooseId,
  newApplication,
  signIn,
} from '../support/applications.ts'
import { at, grant } from '../support/ids.ts'
import { inviteMember, placeMember } from '../support/members.ts'
import {
  bearer,
  callsWith,
  goodPassword,
  later,
  logIn,
  type MailedService,
  newcomer,
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
import { enableApp, sendCode } from '../support/second-factor.ts'
import { sharedMailedService } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: MailedService
let admin: Person
let application: Application
beforeAll(async () => {
  service = await sharedMailedService()
  admin = await adminAtAnyTime(service)
  application = await newApplication(service, admin)
})

type Caller = Pick<Person, 'get' | 'post' | 'patch' | 'delete'>
type Account = { id: string; email: string; tokens: Tokens } & Caller
const nextPassword = 'the next password of theirs'
const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const keyOf = (api_key: string) => ({ headers: { 'x-api-key': api_key } })
const makeKey = async (by: Caller) =>
  (await by.post('/api/api_keys', { name: 'backup' })).json<{ id: string; api_key: string }>()
const connect = async (by: Account) => {
  const wallet = Wallet.createRandom()
  const text = `Connect this wallet to my Emoji Id Directory account ${by.id}.`
  const signature = await wallet.signMessage(text)
  const body = { signature, eth_address: wallet.address, source: 'Dashboard' }
  expect((await by.post('/api/wallets', body)).status).toBe(200)
  return wallet.address
}
const walletsOf = async ({ id }: { id: string }) =>
  (
    await service.db.selectFrom('wallets').select('eth_address').where('user_id', '=', id).execute()
  ).map(({ eth_address }) => eth_address)
const confirmedOne = () => newcomer(service, { password: goodPassword, isVerified: true })
/** The newest mail with this subject, and the path of its “this was not me” form. */
const notice = async (email: string, subject: string) => {
  await service.settle()
  const mail = service.mailsTo(email).findLast((one) => one.subject === subject)
  return /http:\/\/localhost:\d+(\/auth\/not_me\?token=\S+)/.exec(mail?.text ?? '')?.[1] ?? ''
}

/** Every access that an intruder can prepare, and whether it still works. */
async function waysIn(account: Account, password = goodPassword) {
  const { id: user_id, email } = account
  const emoji_id = await grant(admin, { user_id })
  const { api_key } = await makeKey(account)
  const browser = await signIn(service, application, { email, password })
  const code = await chooseId(browser, application, emoji_id)
  const grantedTokens = (await application.exchange(code)).json<ApplicationTokens>()
  const unused = await chooseId(browser, application, emoji_id)
  const { tokens } = await logIn(service, { email, password })
  const web = await service.post('/session', { refresh_token: tokens.refresh_token })
  const cookie = /^[^;]+/.exec(web.headers.get('set-cookie') ?? '')?.[0] ?? ''
  const wallet = await connect(account)
  const pubkey = keyPair().pubkey
  expect((await account.post(`/api/pubkeys/${pubkey}`)).status).toBe(200)
  const setUp = await account.post('/api/account/2fa/enable', { provider: 'AuthenticatorApp' })
  expect(setUp.status).toBe(200)
  const sendAnswer = await account.post('/api/transfers', { eid: emoji_id, email: newEmail() })
  expect(sendAnswer.status).toBe(200)
  const rows = (table: 'keys' | 'second_factor_setups') =>
    service.db.selectFrom(table).selectAll().where('user_id', '=', user_id).execute()

  const alive: Record<string, () => Promise<boolean>> = {
    key: async () => (await service.get('/api/account', keyOf(api_key))).status === 200,
    payments: async () => {
      const insert = [{ tag: '0x1003', data: bitcoin }]
      const write = { ...keyOf(api_key), body: { insert } }
      return (await service.call('PATCH', at(emoji_id), write)).status === 200
    },
    access: async () => (await account.get('/api/account')).status === 200,
    refresh: async () => (await service.post('/api/auth/token/refresh', tokens)).status === 200,
    web: async () => {
      const answer = await service.post('/session/token', {}, { headers: { cookie } })
      return Boolean(answer.json<{ access_token?: string }>().access_token)
    },
    authorization: async () => (await browser.open(application.at())).body.includes('Signed in as'),
    application: async () =>
      (await service.get('/api/emoji_id', bearer(grantedTokens.access_token))).status === 200,
    'application refresh': async () =>
      (await application.refresh(grantedTokens.refresh_token)).status === 200,
    'unused code': async () => (await application.exchange(unused)).status === 200,
    wallet: async () => (await walletsOf({ id: user_id })).includes(wallet),
    pubkey: async () =>
      (await rows('keys')).some((row) => 'pubkey' in row && row.pubkey === pubkey),
    'factor in preparation': async () => (await rows('second_factor_setups')).length > 0,
    transfer: async () => {
      const open = await service.db
        .selectFrom('transfers')
        .select('id')
        .where('sender_id', '=', user_id)
        .where('deleted_at', 'is', null)
        .execute()
      return open.length > 0
    },
  }
  return {
    async left() {
      const openWays: string[] = []
      for (const [name, isAlive] of Object.entries(alive)) if (await isAlive()) openWays.push(name)
      return openWays
    },
    names: Object.keys(alive),
    api_key,
  }
}

const reset = async (email: string) => {
  await service.settle()
  const before = service.mailsTo(email).length
  await service.post('/api/auth/password_reset', { email })
  const link = await service.linkTo(email, before + 1)
  return press(service, link, undefined, { password: nextPassword })
}

describe('an account that an attacker prepared for a victim', () => {
  it('keeps no access once the victim confirms the address or resets the password', async () => {
    const attacker = await confirmedOne()
    const victim = newEmail()
    const id = await grant(admin, { user_id: attacker.id })
    const insert = [{ tag: '0x1003', data: bitcoin }]
    expect((await attacker.patch(at(id), { insert })).status).toBe(200)
    const locked = await grant(admin, { user_id: attacker.id })
    expect((await attacker.put(at(locked, '/delay_lock'), { hours: 2 })).status).toBe(200)
    expect((await attacker.patch(at(locked), { insert })).status).toBe(200)
    expect((await attacker.put(at(locked, '/delay_lock'), { hours: 1 })).status).toBe(200)
    await service.settle()
    const oldLinks = service
      .mailsTo(attacker.email)
      .flatMap(
        ({ text }) =>
          /(\/auth\/(?:undo_change|cancel_change|keep_delay)\S+)/.exec(text ?? '')?.[1] ?? [],
      )
    expect(oldLinks).toHaveLength(3)
    for (const old of oldLinks) expect((await service.get(old)).status).toBe(200)
    const first = await waysIn(attacker)
    const { api_key } = first
    const own = await notice(attacker.email, 'An API key was created')
    const change = { email: victim, current_password: goodPassword }
    expect((await attacker.patch('/api/account', change)).status).toBe(200)
    const confirmation = await service.linkTo(victim)
    expect((await press(service, confirmation)).status).toBe(200)
    expect(await first.left()).toEqual([])
    // Only the plans are cancelled: the former mailbox keeps its remedies for a time.
    const statuses = new Map<string, number>()
    for (const old of oldLinks)
      statuses.set(old.split('?')[0] ?? '', (await service.get(old)).status)
    expect(Object.fromEntries(statuses)).toEqual({
      '/auth/undo_change': 200,
      '/auth/cancel_change': 422,
      '/auth/keep_delay': 422,
    })
    expect((await service.get(own)).body).toContain(attacker.email)

    // Once that time is over, the account may start transfers again.
    service.clock.advance(3 * dayMs)
    admin = await adminAtAnyTime(service)
    for (const old of [...oldLinks, own]) expect((await service.get(old)).status).toBe(422)

    // The attacker still has the password, and uses it before the victim resets it.
    const enteredPerson = await logIn(service, { email: victim, password: goodPassword })
    const secondAttacker = { ...enteredPerson, id: attacker.id, email: victim }
    const second = await waysIn(secondAttacker)
    const other = newEmail()
    const more = { email: other, current_password: goodPassword }
    expect((await secondAttacker.patch('/api/account', more)).status).toBe(200)
    const pending = await service.linkTo(other)
    expect((await reset(victim)).status).toBe(200)
    expect(await second.left()).toEqual([])
    expect((await service.get('/api/account', keyOf(api_key))).status).toBe(401)
    expect((await press(service, pending)).status).toBe(422)
    const guess = { email: victim, password: goodPassword }
    expect((await service.post('/api/auth/token', guess)).status).toBe(401)
    await logIn(service, { email: victim, password: nextPassword })
  })

  it('an account that an attacker prepared for a victim cannot be entered by a second name after a reset', async () => {
    const alternate_id = `a-${newEmail()}`
    const person = await register(service, { email: null, alternate_id, source: 'test' })
    const email = newEmail()
    const change = { email, current_password: goodPassword }
    expect((await person.patch('/api/account', change)).status).toBe(200)
    expect((await press(service, await service.linkTo(email))).status).toBe(200)
    expect((await reset(email)).status).toBe(200)
    const byName = (password: string) => service.post('/api/auth/token', { alternate_id, password })
    expect((await byName(goodPassword)).status).toBe(401)
    expect((await byName(nextPassword)).status).toBe(200)
  })
})

describe('a device cookie', () => {
  it('a device cookie is worthless with another address', async () => {
    const person = await confirmedOne()
    const entryAnswer = await service.post('/api/auth/token', {
      email: person.email,
      password: goodPassword,
    })
    const cookie =
      /__Host-svc_device=[^;]+/.exec(entryAnswer.headers.get('set-cookie') ?? '')?.[0] ?? ''
    const email = newEmail()
    await person.patch('/api/account', { email, current_password: goodPassword })
    await press(service, await service.linkTo(email))
    const attempt = (password: string) =>
      service.post('/api/auth/token', { email, password }, { headers: { cookie } })
    stopTheClock()
    for (let n = 0; n < 10; n++) await attempt('a wrong one of many')
    expect((await service.post('/api/auth/token', { email, password: goodPassword })).status).toBe(
      429,
    )
    expect((await attempt(goodPassword)).status).toBe(429)
  })
})

describe('ending sessions', () => {
  /** Opens a new sign-in link; returns the token of the step for a first password. */
  const openLink = async (email: string) => {
    await service.settle()
    const { length } = service.mailsTo(email)
    await service.post('/api/auth/magic_link', { email })
    const page = await press(service, await service.linkTo(email, length + 1))
    return /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  }
  const skip = async (token: string) => {
    const answer = await submit(service, '/auth/first_password/skip', { token })
    return new URL(answer.headers.get('location') ?? '').searchParams.get('code')
  }
  const exchange = (code: string | null) => service.post('/api/auth/exchange', { code })
  const enterByLink = async (email: string) =>
    callsWith(service, (await exchange(await skip(await openLink(email)))).json<Tokens>())

  it('ending sessions of others voids opened links; a link that is opened afterwards works', async () => {
    const { email } = await register(service, { password: null })
    const owner = await enterByLink(email)
    const code = await skip(await openLink(email))
    const token = await openLink(email)
    expect((await owner.delete('/api/account/sessions')).status).toBe(200)
    expect((await exchange(code)).status).toBe(401)
    const password = nextPassword
    const choice = await submit(service, '/auth/first_password', { token, password })
    expect(choice.status).toBe(422)
    expect((await owner.get('/api/account')).status).toBe(200)
    expect((await exchange(await skip(await openLink(email)))).status).toBe(200)
  })

  it('ending sessions of others leaves API keys and grants of applications, but no unused code', async () => {
    const owner = await confirmedOne()
    const ways = await waysIn(owner)
    expect((await owner.delete('/api/account/sessions')).status).toBe(200)
    const ended = ['refresh', 'web', 'authorization', 'unused code']
    expect(await ways.left()).toEqual(ways.names.filter((name) => !ended.includes(name)))
  })

  it('ending sessions of others withdraws a new address that another session requested', async () => {
    const owner = await confirmedOne()
    const intruder = await logIn(service, owner)
    const linkFor = async (by: Caller) => {
      const email = newEmail()
      const change = { email, current_password: goodPassword }
      expect((await by.patch('/api/account', change)).status).toBe(200)
      return service.linkTo(email)
    }
    const foreignLink = await linkFor(intruder)
    expect((await owner.delete('/api/account/sessions')).status).toBe(200)
    expect((await press(service, foreignLink)).status).toBe(422)
    const ownLink = await linkFor(owner)
    expect((await owner.delete('/api/account/sessions')).status).toBe(200)
    expect((await press(service, ownLink)).status).toBe(200)
  })

  it('that owe a code, at the removal of the second factor, also voids opened links', async () => {
    const { email } = await register(service, { password: null })
    const owner = await enterByLink(email)
    await enableApp(service, owner)
    const code = await skip(await openLink(email))
    const body = { disable_all: true }
    expect((await owner.post('/api/account/2fa/disable', body)).status).toBe(200)
    expect((await exchange(code)).status).toBe(401)
  })
})

describe('"this was not me" about a new API key', () => {
  it('revokes all later access, only by a button and once', async () => {
    const owner = await confirmedOne()
    const before = await connect(owner)
    service.clock.advance(1_000)
    const ways = await waysIn(owner)
    const link = await notice(owner.email, 'An API key was created')

    const page = await service.get(link)
    expect(page.status).toBe(200)
    for (const expectedText of [
      'API keys',
      'connected apps',
      'Wallets',
      'signed out',
      'new password',
    ]) {
      expect(page.body).toContain(expectedText)
    }
    await service.call('HEAD', link)
    expect(await ways.left()).toEqual(ways.names)
    expect((await press(service, link)).status).toBe(200)
    expect(await ways.left()).toEqual([])
    expect(await walletsOf(owner)).toEqual([before])
    expect((await service.get(link)).status).toBe(422)
    // The intruder may have the password: it is void until the mailbox sets another.
    const login = () => service.post('/api/auth/token', owner)
    expect((await login()).status).toBe(401)
    const { text, get } = await setNewPassword(service, owner.email)
    expect(text).toContain('your account has no password')
    expect((await get('/api/account')).status).toBe(200)
    expect((await login()).status).toBe(401)
  })

  it('lets the owner in by an emailed link as well, with the earlier second factor', async () => {
    const owner = await confirmedOne()
    const { app } = await enableApp(service, owner)
    await makeKey(owner)
    expect((await press(service, await notice(owner.email, 'An API key was created'))).status).toBe(
      200,
    )
    await service.settle()
    const mails = service.mailsTo(owner.email).length
    await service.post('/api/auth/magic_link', { email: owner.email })
    const page = await press(service, await service.linkTo(owner.email, mails + 1))
    const token = /name="token" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
    const next = await submit(service, '/auth/first_password/skip', { token })
    const code = new URL(next.headers.get('location') ?? '').searchParams.get('code')
    const tokens = (await service.post('/api/auth/exchange', { code })).json<Tokens>()
    expect(tokens.requires_2fa).toBe('AuthenticatorApp')
    expect((await sendCode(service, tokens, app.next())).status).toBe(200)
  })

  it('"this was not me" about a new API key works for three days, only with the link of this account', async () => {
    const owner = await confirmedOne()
    await makeKey(owner)
    const link = await notice(owner.email, 'An API key was created')
    expect((await service.get(`${link}x`)).status).toBe(422)
    const token = new URL(link, service.address).searchParams.get('token') ?? ''
    expect((await service.get(`/auth/reset_password?token=${token}`)).status).toBe(422)
    service.clock.advance(73 * 60 * 60_000)
    expect((await press(service, link)).status).toBe(422)
  })
})

describe('"this was not me" about a wallet or a public key', () => {
  it('removes that wallet even if proven since, and no earlier one', async () => {
    const owner = await confirmedOne()
    const before = await connect(owner)
    service.clock.advance(1_000)
    const wallet = Wallet.createRandom()
    const text = `Connect this wallet to my Emoji Id Directory account ${owner.id}.`
    const body = { signature: await wallet.signMessage(text), source: 'Dashboard' }
    expect((await owner.post('/api/wallets', body)).status).toBe(200)
    const link = await notice(owner.email, 'A wallet was connected')
    service.clock.advance(1_000)
    const { address: eth_address } = wallet
    const challenge = await owner.post('/api/wallets/challenge', { eth_address })
    const { message } = challenge.json<{ message: string }>()
    const proof = { message, signature: await wallet.signMessage(message), source: 'Dashboard' }
    expect((await owner.post('/api/wallets', proof)).status).toBe(200)
    expect((await press(service, link)).status).toBe(200)
    expect(await walletsOf(owner)).toEqual([before])
  })

  it('removes that key even if proven since; earlier keys and keys held by the service stay', async () => {
    const owner = await confirmedOne()
    const keptKeys = (await owner.get('/api/pubkeys')).json<string[]>()
    const [before, pair] = [keyPair(), keyPair()]
    expect((await owner.post(`/api/pubkeys/${before.pubkey}`)).status).toBe(200)
    service.clock.advance(1_000)
    expect((await owner.post(`/api/pubkeys/${pair.pubkey}`)).status).toBe(200)
    // A listed key causes no notice.
    expect((await owner.post(`/api/pubkeys/${pair.pubkey}`)).status).toBe(200)
    const subject = 'A public key was added'
    const link = await notice(owner.email, subject)
    const notices = service.mailsTo(owner.email).filter((one) => one.subject === subject)
    expect(notices).toHaveLength(2)
    expect(notices[1]?.text).toContain(pair.pubkey)
    service.clock.advance(1_000)
    const message = `The key ${pair.pubkey} belongs to the account ${owner.id}.`
    const proof = pair.sign('emojid/pubkey-proof/v1', message)
    expect((await owner.post(`/api/pubkeys/${pair.pubkey}/prove`, proof)).status).toBe(200)
    expect((await service.get(link)).body).toContain('A public key was added to your account')
    expect((await press(service, link)).status).toBe(200)
    const remainingQuery = service.db
      .selectFrom('keys')
      .select('pubkey')
      .where('user_id', '=', owner.id)
    const pubkeys = (await remainingQuery.orderBy('created_at').execute()).map(
      ({ pubkey }) => pubkey,
    )
    expect(pubkeys).toEqual([...keptKeys, before.pubkey])
  })
})

describe('notices to an unconfirmed mailbox', () => {
  const setNoticeCount = async (subject: string, [from, to]: [number, number]) => {
    const counter = await service.db
      .updateTable('notice_counts')
      .set({ sent: to })
      .where('subject', '=', sha256(subject))
      .where('sent', '=', from)
      .executeTakeFirstOrThrow()
    expect(counter.numUpdatedRows).toBe(1n)
  }

  it('notices to an unconfirmed mailbox are few for all accounts that share it; a confirmed mailbox gets all of them', async () => {
    const name = newEmail().split('@', 1)[0]
    const strangers = [`${name}@example.com`, `${name}+a@example.com`]
    const people = [
      await register(service, { email: strangers[0] }),
      await register(service, { email: strangers[1] }),
    ]
    for (const person of people) await makeKey(person)
    // The state after seven more.
    await setNoticeCount(`mailbox ${strangers[0]}`, [2, 9])
    for (const person of people) await makeKey(person)
    const owner = await confirmedOne()
    await makeKey(owner)
    const ownCount = service.db
      .selectFrom('notice_counts')
      .select('sent')
      .where('subject', '=', sha256(`mailbox ${owner.email}`))
    expect(await ownCount.execute()).toEqual([])
    await makeKey(owner)
    await service.settle()
    const noticesTo = (email: string) =>
      service.mailsTo(email).filter(({ subject }) => subject === 'An API key was created').length
    expect(strangers.map(noticesTo)).toEqual([2, 1])
    expect(noticesTo(owner.email)).toBe(2)
    service.clock.advance(dayMs)
    const secondPerson = await logIn(service, { email: strangers[1] ?? '', password: goodPassword })
    await makeKey(secondPerson)
    await service.settle()
    expect(noticesTo(strangers[1] ?? '')).toBe(2)
  })

  it('block the flooding network, and hide nothing done with a stolen session', async () => {
    const network = '203.0.113.201'
    const from = { 'x-forwarded-for': network }
    const people = await Promise.all(Array.from({ length: 2 }, () => newcomer(service)))
    const makeTwo = async () => {
      const statuses: number[] = []
      for (const { tokens } of people) {
        const headers = { ...bearer(tokens.access_token).headers, ...from }
        const { status } = await service.post('/api/api_keys', { name: 'one' }, { headers })
        statuses.push(status)
      }
      return statuses
    }
    expect(await makeTwo()).toEqual([200, 200])
    // The state after 97 more notices to other mailboxes.
    await setNoticeCount(`network ${networkOf(network)}`, [2, 99])
    expect(await makeTwo()).toEqual([200, 429])
    await service.settle()
    expect(people.flatMap(({ email }) => service.mailsTo(email))).toHaveLength(3)

    const owner = await newcomer(service)
    const id = await grant(admin, { user_id: owner.id })
    const headers = { ...bearer(owner.tokens.access_token).headers, ...from }
    const insert = [{ tag: '0x1003', data: bitcoin }]
    for (let n = 0; n < 2; n++) {
      const key = await service.post('/api/api_keys', { name: 'silent' }, { headers })
      expect([key.status, key.json()['code']]).toEqual([429, 'too_many_notices'])
      expect((await service.patch(at(id), { insert }, { headers })).status).toBe(429)
    }
    // Refused requests do not count.
    expect((await owner.patch(at(id), { insert })).status).toBe(200)
    await setNoticeCount(`mailbox ${owner.email}`, [1, 9])
    expect((await makeKey(owner)).api_key).toBeDefined()
    await service.settle()
    expect(service.mailsTo(owner.email)).toHaveLength(2)
  })

  it('contain no text of the attacker in the service’s voice', async () => {
    const person = await register(service)
    const name = 'x” was made. Log in at https://evil.example/now'
    expect((await person.post('/api/api_keys', { name })).status).toBe(200)
    await service.settle()
    const texts = service.mailsTo(person.email).map((mail) => mail.text ?? '')
    const text = texts.find((one) => one.includes('API key'))
    expect(text).toContain('The API key “x’ was made. Log in at …” was created')
    expect(text).not.toContain('evil')
  })
})

describe('a member whom a thief added to an organization', () => {
  const subject = 'The members of your organization changed'
  type Member = { user_id: string; role: string }
  const newOrganization = async (name: string) => {
    const boss = await registerAs(service, 'Super')
    const response = await boss.post('/api/admin/organizations', { name })
    const { id } = response.json<{ id: string }>()
    const members = `/api/admin/organizations/${id}/members`
    return {
      boss,
      members,
      place: (person: Person, role: MemberRole) => placeMember(boss, id, person, role),
      join: (by: Person, person: Person, role: MemberRole) => inviteMember(by, id, person, role),
      put: async (by: Pick<Person, 'put'>, { id: user_id }: Person, role: string) =>
        expect((await by.put(`${members}/${user_id}`, { role })).status).toBe(200),
    }
  }

  it('is reported to all owners, and removed by the notice of the impersonated one with all members added since, while removed ones return, except those that other owners changed or an operator deactivated', async () => {
    const { boss, members, place, join, put } = await newOrganization('See evil.example')
    const people = await Promise.all(Array.from({ length: 8 }, confirmedOne))
    const [anna, bert, thief, second, third, knownPerson, barredPerson, removedPerson] = people as [
      Person,
      Person,
      Person,
      Person,
      Person,
      Person,
      Person,
      Person,
    ]
    for (const one of [anna, bert, barredPerson, removedPerson]) await place(one, 'OrgOwner')
    await place(knownPerson, 'OrgMember')
    await join(anna, thief, 'OrgOwner')
    const link = await notice(anna.email, subject)
    expect(await notice(bert.email, subject)).toBe('')
    for (const { email } of [anna, bert]) {
      const mail = service.mailsTo(email).findLast((one) => one.subject === subject)
      expect(mail?.text).toContain(`organization “See …”, ${thief.email} now has the role of owner`)
    }
    await join(thief, second, 'OrgOwner')
    await join(second, third, 'OrgController')
    await put(second, knownPerson, 'OrgController')
    await put(bert, knownPerson, 'OrgController')
    await put(anna, barredPerson, 'OrgMember')
    const reason = { reason: 'Scam' }
    const barring = await boss.post(`/api/admin/users/${barredPerson.id}/deactivate`, reason)
    expect(barring.status).toBe(200)
    await put(anna, removedPerson, 'OrgMember')
    expect((await bert.delete(`${members}/${removedPerson.id}`)).status).toBe(200)
    expect((await second.delete(`${members}/${bert.id}`)).status).toBe(200)

    expect((await press(service, link)).status).toBe(200)
    const remainingMembers = (await bert.get(members)).json<Member[]>()
    expect(new Map(remainingMembers.map(({ user_id, role }) => [user_id, role]))).toEqual(
      new Map([
        [anna.id, 'OrgOwner'],
        [bert.id, 'OrgOwner'],
        [knownPerson.id, 'OrgController'],
        [barredPerson.id, 'OrgMember'],
      ]),
    )
  })

  const rolesOf = async (by: Person, members: string) =>
    Object.fromEntries(
      (await by.get(members)).json<Member[]>().map(({ user_id, role }) => [user_id, role]),
    )
  const invited = 'A person was invited to your organization'
  const idOf = (members: string) => members.split('/').at(-2) ?? ''
  const leave = async (person: Pick<Person, 'delete'>, members: string) =>
    expect((await person.delete(`/api/organizations/${idOf(members)}/membership`)).status).toBe(200)

  it.each<
    [
      string,
      (by: {
        members: string
        anna: Person
        thief: Person
        accomplice: Person
        join: (by: Person, person: Person, role: MemberRole) => Promise<void>
      }) => Promise<unknown>,
    ]
  >([
    ['removes the owner', ({ members, anna, thief }) => thief.delete(`${members}/${anna.id}`)],
    [
      'makes the owner a member',
      ({ members, anna, thief }) => thief.put(`${members}/${anna.id}`, { role: 'OrgMember' }),
    ],
    [
      'has another one remove the owner and the thief',
      async ({ members, anna, thief, accomplice, join }) => {
        await join(thief, accomplice, 'OrgOwner')
        await accomplice.delete(`${members}/${anna.id}`)
        return accomplice.delete(`${members}/${thief.id}`)
      },
    ],
    ['leaves with the account of the owner', ({ members, anna }) => leave(anna, members)],
    [
      'invites another one with the account of the owner, who removes the owner',
      async ({ members, anna, accomplice, join }) => {
        await join(anna, accomplice, 'OrgOwner')
        return accomplice.delete(`${members}/${anna.id}`)
      },
    ],
  ])(
    'goes, and the owner returns by any notice of the addition, when the thief %s',
    async (_how, act) => {
      for (const title of [subject, invited]) {
        const { boss, members, place, join } = await newOrganization('Crabs')
        const [anna, thief, accomplice] = [
          await confirmedOne(),
          await confirmedOne(),
          await confirmedOne(),
        ]
        await place(anna, 'OrgOwner')
        await join(anna, thief, 'OrgOwner')
        const link = await notice(anna.email, title)
        await act({ members, anna, thief, accomplice, join })
        const page = await press(service, link)
        expect(page.body).toContain('If you should own it and don’t, write to our support.')
        const roles = await rolesOf(boss, members)
        expect(roles).toMatchObject({ [anna.id]: 'OrgOwner' })
        expect(Object.keys(roles)).not.toContain(thief.id)
        // She owns it as before: she is the owner who stays.
        const own = (
          await (await setNewPassword(service, anna.email)).get('/api/organizations')
        ).json()
        expect(own).toMatchObject([{ owner_accepted_at: expect.any(String) }])
      }
    },
  )

  it('a member whom a thief added to an organization does not bring back an owner whom another owner removed', async () => {
    const { members, place, join } = await newOrganization('Crabs')
    const [anna, bert, thief] = [await confirmedOne(), await confirmedOne(), await confirmedOne()]
    for (const one of [anna, bert]) await place(one, 'OrgOwner')
    await join(anna, thief, 'OrgMember')
    const link = await notice(anna.email, subject)
    expect((await bert.delete(`${members}/${anna.id}`)).status).toBe(200)
    expect((await press(service, link)).status).toBe(200)
    expect(await rolesOf(bert, members)).toEqual({ [bert.id]: 'OrgOwner', [thief.id]: 'OrgMember' })
  })

  it('a member whom a thief added to an organization gets no role back by the second of two links', async () => {
    const { boss, members, place, join, put } = await newOrganization('Crabs')
    const [anna, thief] = [await confirmedOne(), await confirmedOne()]
    await place(anna, 'OrgOwner')
    await join(anna, thief, 'OrgMember')
    const first = await notice(anna.email, subject)
    await put(anna, thief, 'OrgController')
    const second = await notice(anna.email, subject)
    for (const link of [first, second]) expect((await press(service, link)).status).toBe(200)
    expect(await rolesOf(boss, members)).toEqual({
      [anna.id]: 'OrgOwner',
    })
  })
})

describe('leaving an organization', () => {
  it.each(['OrgController', 'OrgOwner'] as const)(
    'as %s requires a recent sign-in, and is undone by its notice',
    async (role) => {
      const boss = await registerAs(service, 'Super')
      const { id } = (await boss.post('/api/admin/organizations', { name: 'Crabs' })).json<{
        id: string
      }>()
      const [anna, bert] = [await confirmedOne(), await confirmedOne()]
      await placeMember(boss, id, bert, 'OrgOwner')
      await placeMember(boss, id, anna, role)
      const path = `/api/organizations/${id}/membership`
      const old = await later(service, anna.tokens)
      const refused = await old.delete(path)
      expect([refused.status, refused.json()['code']]).toEqual([403, 'old_login'])
      expect((await (await logIn(service, anna)).delete(path)).status).toBe(200)
      const link = await notice(anna.email, 'The members of your organization changed')
      expect((await press(service, link)).status).toBe(200)
      const back = await setNewPassword(service, anna.email)
      expect((await back.get('/api/organizations')).json()).toMatchObject([
        { id, role, accepted_at: expect.any(String) },
      ])
      await service.settle()
      expect(service.mailsTo(bert.email).at(-1)?.text).toContain(anna.email)
    },
  )
})

describe('an API key', () => {
  it('outlives signing out, and is revoked when support sets a new password', async () => {
    const person = await confirmedOne()
    const { api_key } = await makeKey(person)
    expect((await person.post('/api/logout')).status).toBe(200)
    expect((await service.get('/api/account', keyOf(api_key))).status).toBe(200)
    const change = { password: nextPassword, reason: 'asked for by phone' }
    const set = await admin.patch(`/api/users/${person.id}`, change)
    expect(set.status).toBe(200)
    expect((await service.get('/api/account', keyOf(api_key))).status).toBe(401)
  })

  it('an API key is revoked when its account is deactivated, and stays revoked', async () => {
    const person = await confirmedOne()
    const ways = await waysIn(person)
    const act = (title: string) =>
      admin.post(`/api/admin/users/${person.id}/${title}`, { reason: 'stolen' })
    expect((await act('deactivate')).status).toBe(200)
    expect((await act('activate')).status).toBe(200)
    expect(await ways.left()).toEqual(['wallet', 'pubkey'])
    await logIn(service, person)
  })

  it('an API key shows its owner the time and address of its last use, to the minute', async () => {
    type ListedKey = {
      id: string
      last_used_at: string | null
      last_used_network: string | null
      last_used_agent: string | null
    }
    const person = await confirmedOne()
    const { id, api_key } = await makeKey(person)
    const listKeys = async () =>
      (await (await logIn(service, person)).get('/api/api_keys'))
        .json<ListedKey[]>()
        .find((key) => key.id === id)
    const use = (agent: string, address: string) =>
      service.get('/api/account', {
        headers: { 'x-api-key': api_key, 'user-agent': agent, 'x-forwarded-for': address },
      })
    expect(await listKeys()).toMatchObject({ last_used_at: null, last_used_network: null })
    await use('robot/1\u00e9', '203.0.113.77')
    const once = await listKeys()
    expect(once).toMatchObject({ last_used_network: '203.0.113', last_used_agent: 'robot/1' })
    await Promise.all([1, 2, 3].map((n) => use(`robot/${n}`, '198.51.100.7')))
    expect(await listKeys()).toEqual(once)
    service.clock.advance(61_000)
    await use('robot/2', '2001:db8:1:2:3::4')
    const later = await listKeys()
    expect(later).toMatchObject({
      last_used_network: '20010db800010002',
      last_used_agent: 'robot/2',
    })
    expect(Date.parse(later?.last_used_at ?? '')).toBeGreaterThan(
      Date.parse(once?.last_used_at ?? ''),
    )
  })
})
