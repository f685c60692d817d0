import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  callbackUrl,
  chooseId,
  newApplication,
  newBrowser,
  newOrganization,
  readRedirect,
  signIn,
} from './support/applications.ts'
import { at, grant } from './support/ids.ts'
import {
  callsWith,
  goodPassword,
  newcomer,
  newEmail,
  type Person,
  register,
  registerAs,
  type Tokens,
} from './support/people.ts'
import type { TestService } from './support/service.ts'
import { sharedService } from './support/shared-service.ts'

let service: TestService
let admin: Person
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
})

type Lookup = { status: boolean; result: { tag: string; data: string }[] }
type Payments = { result: Record<string, { address: string }> }

const ethereum = '0x314159265dD8dbb310642f98f50C066173C1259b'
const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'

const owner = async () => {
  const person = await newcomer(service, { password: goodPassword })
  const id = await grant(admin, { user_id: person.id })
  const insert = async (...records: [tag: string, data: string][]) =>
    expect(
      (await person.patch(at(id), { insert: records.map(([tag, data]) => ({ tag, data })) }))
        .status,
    ).toBe(200)
  const ticker = async (name: string) => service.get(at(id, `/${name}`))
  const dataOf = async (name: string) =>
    (await ticker(name)).json<Lookup>().result.map(({ data }) => data)
  return { ...person, emoji_id: id, insert, ticker, dataOf }
}

describe('GET /emoji_id/{emoji_id}/{ticker}', () => {
  it('matches other currencies by their ticker and tokens by their short name', async () => {
    const anna = await owner()
    await anna.insert(
      ['0x3fff', 'KAS|kaspa:anna'],
      ['0x3fff', 'ERG|9anna'],
      ['0x6300', `USDC|USD Coin|ETH|${ethereum}||`],
    )
    expect(await anna.dataOf('kas')).toEqual(['KAS|kaspa:anna'])
    expect(await anna.dataOf('ERG')).toEqual(['ERG|9anna'])
    expect(await anna.dataOf('USDC')).toEqual([`USDC|USD Coin|ETH|${ethereum}||`])
  })

  it('returns a native ticker only from its own category', async () => {
    const anna = await owner()
    await anna.insert(['0x3fff', 'BTC|elsewhere'])
    expect(await anna.dataOf('BTC')).toEqual([])
    await anna.insert(['0x1003', bitcoin])
    expect(await anna.dataOf('BTC')).toEqual([bitcoin])
  })

  it('returns 400 for a ticker that is neither known nor present', async () => {
    const anna = await owner()
    for (const name of ['XYZQ', 'constructor', 'x'.repeat(200), '%F0%9F%94%A5']) {
      expect((await anna.ticker(name)).status).toBe(400)
    }
    expect((await anna.ticker('ETH')).status).toBe(200)
  })
})

describe('GET /emoji_id/{emoji_id}/payment', () => {
  it('has one address per other currency, and the latest one under 0x3fff', async () => {
    const anna = await owner()
    await anna.insert(['0x3fff', 'KAS|kaspa:one'])
    await anna.insert(['0x3fff', 'ERG|9two'])
    const { result } = (await service.get(at(anna.emoji_id, '/payment'))).json<Payments>()
    expect(Object.entries(result).map(([key, { address }]) => [key, address])).toEqual([
      ['0x3fff:KAS', 'kaspa:one'],
      ['0x3fff:ERG', '9two'],
      ['0x3fff', '9two'],
    ])
  })
})

describe('GET /users/{id} and GET /users/{user_id}/pubkeys', () => {
  it('show a user their own account, and other accounts to operators', async () => {
    const anna = await newcomer(service, { password: goodPassword })
    const bert = await newcomer(service, { password: goodPassword })
    for (const path of ['', '/pubkeys']) {
      const accountResponse = await anna.get(`/api/users/${anna.id}${path}`)
      expect(accountResponse.status).toBe(200)
      expect(accountResponse.body).toBe((await admin.get(`/api/users/${anna.id}${path}`)).body)
      expect((await bert.get(`/api/users/${anna.id}${path}`)).status).toBe(404)
    }
  })
})

describe('alternate_id users', () => {
  type Account = { email_needs_password: boolean }
  const needsPassword = async (person: Person) =>
    (await person.get('/api/account')).json<Account>().email_needs_password
  const setEmail = (person: Person, more: object = {}) =>
    person.patch('/api/account', { email: newEmail(), ...more })

  it('add a first email address without the password that their app made', async () => {
    const name = { email: null, alternate_id: randomUUID(), source: 'Wallet' }
    const anna = await register(service, name)
    expect(await needsPassword(anna)).toBe(false)
    const scopes = ['user:writeSelf']
    const key = await anna.post('/api/api_keys', { name: 'key', scopes })
    const headers = { 'x-api-key': key.json<{ api_key: string }>().api_key }
    const byKey = await service.patch('/api/account', { email: newEmail() }, { headers })
    expect(byKey.status).toBe(422)
    expect((await setEmail(anna, { password: 'a password of a thief' })).status).toBe(422)
    expect((await setEmail(anna)).status).toBe(200)
  })

  it('need the password once a person chose one, like users with an email address', async () => {
    const name = { email: null, alternate_id: randomUUID(), source: 'Wallet' }
    const anna = await register(service, name)
    const passwords = { password: 'a password that Anna chose', current_password: goodPassword }
    const changed = await anna.patch('/api/account', passwords)
    const { token_response } = changed.json<{ token_response: Tokens }>()
    const again = { ...anna, ...callsWith(service, token_response) }
    const bert = await newcomer(service, { password: goodPassword })
    for (const person of [again, bert]) {
      expect(await needsPassword(person)).toBe(true)
      expect((await setEmail(person)).status).toBe(422)
      expect((await setEmail(person, { current_password: 'wrong' })).status).toBe(422)
    }
  })
})

describe('GET /authorize: id selector page', () => {
  it('lets a person without ids get one and return to the application', async () => {
    const application = await newApplication(service, admin)
    const anna = await newcomer(service, { password: goodPassword })
    const browser = await signIn(service, application, anna)
    const page = await browser.open(application.at())
    expect(page.body).toContain('No emoji id yet')
    expect(page.body).toContain(`href="${service.webUrl}/?for=application"`)
    const id = await grant(admin, { user_id: anna.id })

    const resumed = await browser.open('/auth/authorize/resume?client_id=evil&svc=x')
    const query = readRedirect(resumed)
    expect(query.place).toMatch(/\/auth\/authorize$/)
    expect(Object.fromEntries(query)).toEqual({
      response_type: 'code',
      client_id: application.client_id,
      redirect_uri: callbackUrl,
      scope: 'svc',
      state: 'xyz',
    })
    const { pathname, search } = new URL(resumed.headers.get('location') ?? '')
    const selector = await browser.open(pathname + search)
    expect(selector.body).toContain(encodeURIComponent(id))
    expect(await chooseId(browser, application, id)).not.toBe('')
    expect((await newBrowser(service).open('/auth/authorize/resume')).status).toBe(404)
  })
})

describe('lists of ids of a user or an organization', () => {
  it.each(['/api/emoji_id', '/api/account/load'])(
    '%s tells every user that an organization is unknown',
    async (path) => {
      const anna = await newcomer(service, { password: goodPassword })
      const answerFor = async (id: string) =>
        (await anna.get(`${path}?organization_id=${id}`)).json()
      expect((await answerFor(randomUUID()))['code']).toBe('unknown_organization')
      expect((await answerFor(await newOrganization(admin)))['code']).toBe('insufficient_scope')
    },
  )

  it.each(['/api/emoji_id', '/api/account/load'])(
    '%s requires exactly one of both',
    async (path) => {
      const [user_id, organization_id] = [admin.id, randomUUID()]
      const both = new URLSearchParams({ user_id, organization_id })
      expect((await admin.get(`${path}?${both}`)).status).toBe(400)
      expect((await admin.get(`${path}?organization_id=${organization_id}`)).status).toBe(404)
    },
  )
})
