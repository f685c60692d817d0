import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
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
import { at, grant, newId, proofOf, recordsOf } from './support/ids.ts'
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
import { isSigned, keyPair, rootOver, textHash } from './support/schnorr.ts'
import type { TestService } from './support/service.ts'
import { sharedService } from './support/shared-service.ts'
import { buyer } from './support/shop.ts'

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
const otherBitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

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

/** Stores an address that was accepted before its ticker was refused. */
async function storeMisplaced({ insert, emoji_id }: Awaited<ReturnType<typeof owner>>) {
  await insert(['0x3fff', 'KAS|elsewhere'])
  await sql`update record_sets set records = replace(records::text, 'KAS|', 'BTC|')::json
    where emoji_id = ${emoji_id}`.execute(service.db)
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
    await storeMisplaced(anna)
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
  it('GET /emoji_id/{emoji_id}/payment has no other currency with the ticker of a category, which would check it', async () => {
    const anna = await owner()
    for (const [data, category] of [
      ['BTC|garbage', 'Bitcoin (0x1003)'],
      ['pol|garbage', '(0x'],
    ]) {
      const refusal = await anna.patch(at(anna.emoji_id), { insert: [{ tag: '0x3fff', data }] })
      expect([refusal.status, refusal.json()['code']]).toEqual([422, 'other_address_kind'])
      expect(refusal.body).toContain(`Add it as`)
      expect(refusal.body).toContain(category)
    }

    await storeMisplaced(anna)
    const { result } = (await service.get(at(anna.emoji_id, '/payment'))).json<Payments>()
    expect(result).toEqual({})
    const page = await service.get(`/${encodeURIComponent(anna.emoji_id)}`)
    expect(page.body).not.toContain('elsewhere')
    // The records themselves stay visible, so that the owner can remove them.
    expect(await recordsOf(service, anna.emoji_id)).toMatchObject([{ data: 'BTC|elsewhere' }])
  })

  it('GET /emoji_id/{emoji_id}/payment has one address per other currency, and the latest one under 0x3fff', async () => {
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

describe('PATCH /emoji_id/{emoji_id}', () => {
  /** Bitcoin, Ethereum and a link, in this order. */
  const threeRecords = async () => {
    const anna = await owner()
    await anna.insert(['0x1003', bitcoin], ['0x1004', ethereum], ['0x4001', 'https://a.example'])
    const hashes = (await recordsOf(service, anna.emoji_id)).map(({ hash }) => hash)
    const data = async () => (await recordsOf(service, anna.emoji_id)).map((record) => record.data)
    const order = (items: unknown[], more: object = {}) =>
      anna.patch(at(anna.emoji_id), { order: items, ...more })
    const page = async () => {
      const { body } = await service.get(`/${encodeURIComponent(anna.emoji_id)}`)
      return body.indexOf(ethereum) < body.indexOf(bitcoin) ? 'ETH first' : 'BTC first'
    }
    return { ...anna, hashes, data, order, page }
  }

  it('PATCH /emoji_id/{emoji_id} leaves a changed record at its place, with and without an explicit deletion', async () => {
    const anna = await threeRecords()
    await anna.insert(['0x1003', otherBitcoin])
    expect(await anna.data()).toEqual([otherBitcoin, ethereum, 'https://a.example'])
    const bypass_single_restrictions = true
    const [first, , link] = await recordsOf(service, anna.emoji_id)
    const changeAnswer = await anna.patch(at(anna.emoji_id), {
      delete: [first?.hash, link?.hash],
      insert: [
        { tag: '0x4001', data: 'https://b.example' },
        { tag: '0x1003', data: bitcoin },
        { tag: '0x0005', data: 'Anna' },
      ],
      bypass_single_restrictions,
    })
    expect(changeAnswer.status).toBe(200)
    expect(await anna.data()).toEqual([bitcoin, ethereum, 'https://b.example', 'Anna'])
  })

  it('orders the records of an owner, in lookups, payments, the page and the proof', async () => {
    const anna = await threeRecords()
    expect(await anna.page()).toBe('BTC first')
    const before = await proofOf(service, anna.emoji_id)
    const [btc, eth, link] = anna.hashes
    expect((await anna.order([link, eth?.toUpperCase(), btc])).json()).toEqual([anna.emoji_id])
    expect(await anna.data()).toEqual(['https://a.example', ethereum, bitcoin])
    expect(await anna.page()).toBe('ETH first')
    const { result } = (await service.get(at(anna.emoji_id, '/payment'))).json<Payments>()
    expect(Object.keys(result)).toEqual(['0x1004', '0x1003'])
    const { pubkey, merkle_root, domain, message, signature } = await proofOf(
      service,
      anna.emoji_id,
    )
    expect(merkle_root).toBe(before.merkle_root)
    expect(signature && isSigned(`${pubkey}`, domain, message, signature)).toBe(true)
    const changes = await anna.get(at(anna.emoji_id, '/changes'))
    expect(changes.json()).toMatchObject({
      data: [
        { added: [], removed: [], reordered: true },
        { removed: [], reordered: false },
      ],
    })
    expect((await anna.order([link, eth, btc])).json()).toEqual([])
  })

  it('refuses an order that does not name every resulting record once', async () => {
    const anna = await threeRecords()
    const [btc, eth, link] = anna.hashes
    const wrong = [
      [],
      [btc, eth],
      [btc, eth, eth],
      [btc, eth, link, link],
      [btc, eth, 'f'.repeat(64)],
    ]
    for (const order of wrong) {
      const refusal = await anna.order(order)
      expect([refusal.status, refusal.json()]).toMatchObject([
        422,
        { code: 'wrong_order', fields: { order: [{ code: 'wrong' }] } },
      ])
    }
    expect((await anna.order([btc, eth, link], { delete: [link] })).status).toBe(422)
    expect((await anna.order([1, 2, 3])).status).toBe(400)
    expect(await anna.data()).toEqual([bitcoin, ethereum, 'https://a.example'])
    expect((await anna.order([eth, btc], { delete: [link] })).status).toBe(200)
    expect(await anna.data()).toEqual([ethereum, bitcoin])
  })

  it('keeps the signature of an external key in another order', async () => {
    const anna = await newcomer(service, { password: goodPassword })
    const { pubkey, sign } = keyPair()
    const sentence = `The key ${pubkey} belongs to the account ${anna.id}.`
    const provenSignature = sign('emojid/pubkey-proof/v1', sentence)
    expect((await anna.post(`/api/pubkeys/${pubkey}/prove`, provenSignature)).status).toBe(200)
    const id = await grant(admin, { pubkey })
    const insert = [
      { tag: '0x0005', data: 'Anna' },
      { tag: '0x4001', data: 'https://a.example' },
    ]
    const hashes = insert.map(({ tag, data }) => textHash(Number(tag), data))
    const root = rootOver(hashes)
    const { nonce, signature: s } = sign('emojid/records/v1', `${id} ${root}`)
    const body = { insert, merkle_root: root, signature: `${nonce}${s}` }
    expect((await anna.patch(at(id), body)).status).toBe(200)
    expect((await anna.patch(at(id), { order: hashes.toReversed() })).json()).toEqual([id])
    const { domain, message, signature, records } = await proofOf(service, id)
    expect(records.map(({ hash }) => hash)).toEqual(hashes.toReversed())
    expect(signature && isSigned(pubkey, domain, message, signature)).toBe(true)
    // Other records need another signature.
    await anna.patch(at(id), { delete: [hashes[0]] })
    expect((await proofOf(service, id)).signature).toBeNull()
  })
})

describe('GET /emoji_id/search', () => {
  it('GET /emoji_id/search shows how a registered id came into the directory', async () => {
    const originOf = async (id: string) => {
      const path = `/api/emoji_id/search?emoji_id=${encodeURIComponent(id)}`
      return (await service.get(path)).json<{ result: { origin: string | null } }>().result.origin
    }
    const [granted, boxed] = [await grant(admin, { user_id: admin.id }), newId()]
    const box = { status: 'Used', owner_id: admin.id, yats: [boxed] }
    expect((await admin.post('/api/lootboxes', box)).status).toBe(200)
    const person = await buyer(service)
    const boughtId = newId()
    const { id, total_in_cents: amount } = await person.add(boughtId)
    const cash = { method: 'Cash', amount, external_reference: 'origin' }
    expect((await admin.post(`/api/cart/checkout/${id}`, cash)).status).toBe(200)
    const ids = [granted, boxed, boughtId, newId()]
    expect(await Promise.all(ids.map(originOf))).toEqual(['Grant', 'LootBox', 'Purchase', null])
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

  it('need the password with an old sign-in, because a stolen token could take the account over', async () => {
    const name = { email: null, alternate_id: randomUUID(), source: 'Wallet' }
    const anna = await register(service, name)
    const logged_in_at = new Date(service.clock.now().getTime() - 16 * 60_000)
    await service.db
      .updateTable('sessions')
      .set({ logged_in_at })
      .where('user_id', '=', anna.id)
      .execute()
    expect(await needsPassword(anna)).toBe(true)
    expect((await setEmail(anna)).status).toBe(422)
    expect((await setEmail(anna, { current_password: goodPassword })).status).toBe(200)
  })

  it('need the password once a person chose one, like users with an email address', async () => {
    const name = { email: null, alternate_id: randomUUID(), source: 'Wallet' }
    const anna = await register(service, name)
    const passwords = { password: 'a password that Anna chose', current_password: goodPassword }
    const changeAnswer = await anna.patch('/api/account', passwords)
    const { token_response } = changeAnswer.json<{ token_response: Tokens }>()
    const secondPerson = { ...anna, ...callsWith(service, token_response) }
    const bert = await newcomer(service, { password: goodPassword })
    for (const person of [secondPerson, bert]) {
      expect(await needsPassword(person)).toBe(true)
      expect((await setEmail(person)).status).toBe(422)
      expect((await setEmail(person, { current_password: 'wrong' })).status).toBe(422)
    }
  })
})

describe('GET /authorize: id selector page', () => {
  const waitingCookie = '__Host-svc_waiting'

  it('lets a person without ids get one and return to the application', async () => {
    const application = await newApplication(service, admin)
    const anna = await newcomer(service, { password: goodPassword })
    const browser = await signIn(service, application, anna)
    const page = await browser.open(application.at())
    expect(page.body).toContain('No emoji id yet')
    expect(page.body).toContain(`href="${service.webUrl}/?for=application"`)
    const id = await grant(admin, { user_id: anna.id })

    const resumeAnswer = await browser.open('/auth/authorize/resume?client_id=evil&svc=x')
    const query = readRedirect(resumeAnswer)
    expect(query.place).toMatch(/\/auth\/authorize$/)
    expect(Object.fromEntries(query)).toEqual({
      response_type: 'code',
      client_id: application.client_id,
      redirect_uri: callbackUrl,
      scope: 'svc',
      state: 'xyz',
    })
    const { pathname, search } = new URL(resumeAnswer.headers.get('location') ?? '')
    const selector = await browser.open(pathname + search)
    expect(selector.body).toContain(encodeURIComponent(id))
    expect(await chooseId(browser, application, id)).not.toBe('')
    expect((await newBrowser(service).open('/auth/authorize/resume')).status).toBe(404)
  })

  it('forgets a waiting request once it is answered, replaced, or the person leaves', async () => {
    const long = `${callbackUrl}?${'&'.repeat(900)}`
    const application = await newApplication(service, admin, { redirect_uris: [callbackUrl, long] })
    const anna = await newcomer(service, { password: goodPassword })
    const browser = await signIn(service, application, anna)
    const cancel = application.at({}, '/authorize/cancel')
    const signInForm = application.at({}, '/authorize/password')
    const { email, password } = anna
    const ends: [string, () => Promise<unknown>][] = [
      ['resumed', () => browser.open('/auth/authorize/resume')],
      ['cancelled', () => browser.open(cancel)],
      ['replaced by a long one', () => browser.open(application.at({ redirect_uri: long }))],
      [
        'refused',
        () => browser.open(`${application.at()}&svc=x`, { 'sec-fetch-site': 'same-origin' }),
      ],
      ['signed in again', () => browser.send(signInForm, { email, password })],
      ['left', () => browser.send(application.at({}, '/authorize/leave'), {})],
    ]
    for (const [end, act] of ends) {
      expect((await browser.open(application.at())).body).toContain('No emoji id yet')
      expect([end, browser.cookies.has(waitingCookie)]).toEqual([end, true])
      await act()
      expect([end, browser.cookies.has(waitingCookie)]).toEqual([end, false])
    }
    const endAnswer = await service.delete('/session', {
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect(endAnswer.headers.getSetCookie().join()).toContain(`${waitingCookie}=;`)
  })

  it('forgets a waiting request after the choice of an id', async () => {
    const application = await newApplication(service, admin)
    const anna = await newcomer(service, { password: goodPassword })
    const browser = await signIn(service, application, anna)
    await browser.open(application.at())
    expect(browser.cookies.has(waitingCookie)).toBe(true)
    const id = await grant(admin, { user_id: anna.id })
    expect(await chooseId(browser, application, id)).not.toBe('')
    expect(browser.cookies.has(waitingCookie)).toBe(false)
  })
})

describe('GET /account/load', () => {
  it('GET /account/load has empty editions, sidebar and tags, and the features that an operator switched on', async () => {
    const anna = await newcomer(service, { password: goodPassword })
    const body = { codes: ['early-access'], reason: 'Tests the beta' }
    expect((await admin.put(`/api/admin/users/${anna.id}/features`, body)).status).toBe(200)
    expect((await anna.get('/api/account/load')).json()).toMatchObject({
      editions: [],
      sidebar: null,
      outgoing_transfers: { paging: { tags: {} } },
      current_user: { features: [{ code: 'early-access' }] },
    })
    expect((await anna.get('/api/user_features')).json()).toMatchObject([{ code: 'early-access' }])
  })
})

describe('docs/specification.md', () => {
  it('explains these members, and links only to files that exist', () => {
    const file = new URL('../../../docs/specification.md', import.meta.url)
    const text = readFileSync(file, 'utf8')
    const names = ['editions', 'sidebar', 'paging.tags', 'features', 'activation_source', 'ffmpeg']
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
    const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => new URL(path, file))
    expect(links.length).toBeGreaterThan(5)
    expect(links.filter((link) => !existsSync(link))).toEqual([])
  })
})

describe('lists of a user or an organization', () => {
  const lists = ['/emoji_id', '/emoji_id/extended', '/account/load', '/orders', '/orders/export']

  it.each(lists.map((path) => `/api${path}`))(
    '%s tells every user that an organization is unknown',
    async (path) => {
      const anna = await newcomer(service, { password: goodPassword })
      const answerFor = async (id: string) =>
        (await anna.get(`${path}?organization_id=${id}`)).json()
      expect((await answerFor(randomUUID()))['code']).toBe('unknown_organization')
      expect((await answerFor(await newOrganization(admin)))['code']).toBe('insufficient_scope')
    },
  )

  it.each(['/api/codes', '/api/codes/export', '/api/admin/oauth_clients'])(
    '%s tells operators that an organization is unknown',
    async (path) => {
      const answer = await admin.get(`${path}?organization_id=${randomUUID()}`)
      expect([answer.status, answer.json()['code']]).toEqual([404, 'unknown_organization'])
    },
  )

  it.each(lists.map((path) => `/api${path}`))('%s requires exactly one of both', async (path) => {
    const [user_id, organization_id] = [admin.id, randomUUID()]
    const both = new URLSearchParams({ user_id, organization_id })
    expect((await admin.get(`${path}?${both}`)).status).toBe(400)
    expect((await admin.get(`${path}?organization_id=${organization_id}`)).status).toBe(404)
  })
})
