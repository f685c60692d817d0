import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type CodeView,
  cartOf,
  makeCode,
  newText,
  ordersOf,
  redemptionCode,
  refusal,
  signedCode,
} from '../../../../test/support/codes.ts'
import {
  bearer,
  goodPassword,
  newcomer,
  type Person,
  registerAs,
} from '../../../../test/support/people.ts'
import { keyPair } from '../../../../test/support/schnorr.ts'
import type { TestService } from '../../../../test/support/service.ts'
import { sharedService } from '../../../../test/support/shared-service.ts'

let service: TestService
let admin: Person
let orders: ReturnType<typeof ordersOf>
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
  orders = ordersOf(service)
})

type Page = { data: CodeView[]; paging: { total: number } }
const list = async (query = '', by: Pick<Person, 'get'> = admin) =>
  (await by.get(`/api/codes?limit=200&${query}`)).json<Page>()
const find = async (id: string) => (await list()).data.find((code) => code.id === id)
const path = (id: string) => `/api/admin/codes/${id}`
const change = (id: string, body: object) => admin.patch(path(id), body)
const fieldsOf = (answer: { json(): Record<string, unknown> }) =>
  Object.keys(answer.json()['fields'] ?? {})

describe('a code', () => {
  it('is created, listed, changed and deleted', async () => {
    const pattern = { min_length: 3, shapes: ['Bookends'], emojis: ['🦀', '❤', '🦀'] }
    const dates = { start_date: '2030-01-01T00:00:00Z', end_date: '2031-01-01T00:00:00+02:00' }
    const body = redemptionCode({ ...dates, max_uses: 5, max_emojis_per_user: 2, pattern })
    const newCode = await makeCode(admin, { ...body, name: '  Summer sale ' })

    expect(newCode).toMatchObject({
      name: 'Summer sale',
      redemption_code: body.redemption_code,
      max_uses: 5,
      discount_as_percentage: 20,
      discount_in_cents: null,
      max_emojis_per_user: 2,
      start_date: '2030-01-01T00:00:00.000Z',
      end_date: '2030-12-31T22:00:00.000Z',
      total_uses: 0,
      available: 5,
      deleted_at: null,
      organization_id: null,
      pubkeys: [],
      pattern: { min_length: 3, shapes: ['Bookends'], emojis: ['🦀', '❤️'] },
    })
    expect(await find(newCode.id)).toEqual(newCode)

    const changeAnswer = await change(newCode.id, { discount_in_cents: 500, max_uses: 7 })
    expect(changeAnswer.json()).toMatchObject({
      id: newCode.id,
      discount_as_percentage: null,
      discount_in_cents: 500,
      available: 7,
      name: 'Summer sale',
      pattern: newCode.pattern,
      end_date: newCode.end_date,
    })
    const clearAnswer = await change(newCode.id, { clear: ['end_date', 'max_uses', 'pattern'] })
    expect(clearAnswer.json()).toMatchObject({ end_date: null, max_uses: null, pattern: null })
    expect(clearAnswer.json()).toMatchObject({ available: null, max_emojis_per_user: 2 })

    const deletedCode = (await admin.delete(path(newCode.id))).json<CodeView>()
    expect(deletedCode.deleted_at).not.toBeNull()
    expect(await find(newCode.id)).toEqual(deletedCode)
    expect((await change(newCode.id, { name: 'Again' })).status).toBe(404)
    expect((await admin.delete(path(newCode.id))).status).toBe(404)
  })

  it('keeps members that a change omits or sends as null', async () => {
    const newCode = await makeCode(admin, redemptionCode({ max_uses: 3, legacy_challenge: false }))
    const changeAnswer = await change(newCode.id, {
      name: 'Winter sale',
      max_uses: null,
      pattern: null,
    })
    const { updated_at: _, ...rest } = changeAnswer.json<CodeView & { updated_at: string }>()
    expect(changeAnswer.json()).toEqual({ ...newCode, ...rest, name: 'Winter sale', updated_at: _ })
    expect(rest.max_uses).toBe(3)
  })

  it('rejects members that its author may not set', async () => {
    const id = randomUUID()
    const strange = { id, deleted_at: new Date(), created_at: new Date(0), total_uses: 9 }
    const newCode = await makeCode(admin, redemptionCode(strange))
    expect(newCode).toMatchObject({ deleted_at: null, total_uses: 0 })
    expect(newCode.id).not.toBe(id)
    const organization_id = randomUUID()
    const other = { ...strange, organization_id, code_type: 'RandomYat', activator: 'SecretKey' }
    const changeAnswer = await change(newCode.id, { ...other, name: 'Renamed' })
    expect(changeAnswer.json()).toMatchObject({
      id: newCode.id,
      name: 'Renamed',
      organization_id: null,
      deleted_at: null,
      code_type: 'Discount',
      activator: 'RedemptionCode',
    })
  })

  it('is created once for one Idempotency-Key', async () => {
    const body = redemptionCode({ name: `Once ${randomUUID()}` })
    const { headers } = bearer(admin.tokens.access_token)
    const key = { headers: { ...headers, 'idempotency-key': randomUUID() } }
    const [first, second] = [
      await service.post('/api/admin/codes', body, key),
      await service.post('/api/admin/codes', body, key),
    ]
    expect([first.status, second.status]).toEqual([200, 200])
    expect(second.body).toBe(first.body)
    expect((await list()).data.filter(({ name }) => name === body.name)).toHaveLength(1)
  })

  it('has a unique text, in any case, until it is deleted', async () => {
    const { id, redemption_code } = await makeCode(admin, redemptionCode())
    const shouted = redemptionCode({ redemption_code: redemption_code?.toUpperCase() })
    const refusal = await admin.post('/api/admin/codes', shouted)
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'uniqueness'])
    expect(fieldsOf(refusal)).toEqual(['redemption_code'])
    const other = await makeCode(admin, redemptionCode())
    const moveAnswer = await change(other.id, { redemption_code: shouted.redemption_code })
    expect([moveAnswer.status, moveAnswer.json()['code']]).toEqual([422, 'uniqueness'])

    await admin.delete(path(id))
    expect((await admin.post('/api/admin/codes', shouted)).status).toBe(200)
  })

  it('is created once by twenty concurrent requests with the same text', async () => {
    const bodies = Array.from({ length: 20 }, () =>
      redemptionCode({ redemption_code: 'At-The-Same-Time' }),
    )
    const answers = await Promise.all(bodies.map((body) => admin.post('/api/admin/codes', body)))
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(19).fill(422)])
  })
})

describe('invalid terms', () => {
  it.each<[string, object, string]>([
    ['no discount', { discount_as_percentage: undefined }, 'discount_as_percentage'],
    ['two discounts', { discount_in_cents: 100 }, 'discount_as_percentage'],
    ['a typed random id', { code_type: 'RandomYat' }, 'activator'],
    ['a signed discount', { activator: 'SecretKey' }, 'activator'],
    [
      'dates in the wrong order',
      { start_date: '2031-01-01T00:00:00Z', end_date: '2030-01-01T00:00:00Z' },
      'end_date',
    ],
    [
      'the same date twice',
      { start_date: '2031-01-01T00:00:00Z', end_date: '2031-01-01T00:00:00Z' },
      'end_date',
    ],
    ['a date in the distant past', { start_date: '0000-01-01T00:00:00Z' }, 'start_date'],
    ['a date in the distant future', { end_date: '9999-12-31T23:59:59-23:59' }, 'end_date'],
    ['lengths in the wrong order', { pattern: { min_length: 4, max_length: 3 } }, 'pattern'],
    ['scores in the wrong order', { pattern: { min_score: 40, max_score: 39 } }, 'pattern'],
    ['a word for an emoji', { pattern: { emojis: ['crab'] } }, 'pattern'],
    ['two emojis for one', { pattern: { emojis: ['🦀🦀'] } }, 'pattern'],
    ['an emoji of no alphabet', { pattern: { emojis: ['🇩🇪'] } }, 'pattern'],
  ])('are rejected: %s', async (_what, terms, field) => {
    const answer = await admin.post('/api/admin/codes', redemptionCode(terms))
    expect([answer.status, ...fieldsOf(answer)]).toEqual([422, field])
  })

  it('are rejected if no random id can match them', async () => {
    const body = signedCode({ pattern: { min_length: 6, min_score: 90 } })
    const answer = await admin.post('/api/admin/codes', body)
    expect([answer.status, answer.json()['code']]).toEqual([422, 'nothing_fits'])
    const { id } = await makeCode(admin, signedCode())
    const changeAnswer = await change(id, { pattern: { min_length: 6, min_score: 90 } })
    expect([changeAnswer.status, changeAnswer.json()['code']]).toEqual([422, 'nothing_fits'])
  })

  it.each<[string, object]>([
    ['0 %', { discount_as_percentage: 0 }],
    ['101 %', { discount_as_percentage: 101 }],
    ['half a percent', { discount_as_percentage: 0.5 }],
    ['no cents', { discount_as_percentage: undefined, discount_in_cents: 0 }],
    ['negative cents', { discount_as_percentage: undefined, discount_in_cents: -1 }],
    ['too many cents', { discount_as_percentage: undefined, discount_in_cents: 2 ** 31 }],
    ['no uses', { max_uses: 0 }],
    ['too many uses', { max_uses: 1e18 }],
    ['no emojis', { max_emojis_per_user: -1 }],
    ['a text for a number', { max_uses: '3' }],
    ['no date', { start_date: 'tomorrow' }],
    ['a blank in the code', { redemption_code: 'summer sale' }],
    ['a code with %', { redemption_code: "%' or 1=1--" }],
    ['a short code', { redemption_code: 'abc' }],
    ['a long code', { redemption_code: 'a'.repeat(65) }],
    ['a NUL in the name', { name: 'a\u0000b' }],
    ['a blank name', { name: '  ' }],
    ['a misspelt restriction', { pattern: { min_lenght: 4 } }],
    ['a length of 7', { pattern: { max_length: 7 } }],
    ['a score of 0', { pattern: { min_score: 0 } }],
    ['an unknown shape', { pattern: { shapes: ['Squares'] } }],
    ['no shape', { pattern: { shapes: [] } }],
    ['no emoji', { pattern: { emojis: [] } }],
    ['a list for a pattern', { pattern: [] }],
    ['an unknown type', { code_type: 'Gift' }],
    ['an unknown activator', { activator: 'Hope' }],
    ['no uuid', { organization_id: 'crabs' }],
  ])('are rejected: %s (T109)', async (_what, terms) => {
    const answer = await admin.post('/api/admin/codes', redemptionCode(terms))
    expect([answer.status, answer.json()['code']]).toEqual([400, expect.any(String)])
  })

  it('are rejected with the format of a redemption code', async () => {
    const answer = await admin.post('/api/admin/codes', redemptionCode({ redemption_code: 'TEN' }))
    expect([answer.status, answer.json()['error']]).toEqual([
      400,
      'redemption_code must be 4 to 64 letters A to Z, digits, hyphens or underscores.',
    ])
  })

  it('are rejected in a change too, which then changes nothing', async () => {
    const newCode = await makeCode(admin, redemptionCode({ start_date: '2030-01-01T00:00:00Z' }))
    for (const body of [
      { end_date: '2029-01-01T00:00:00Z' },
      { discount_in_cents: 5, discount_as_percentage: 5 },
      { name: 'Renamed', pattern: { emojis: ['x'] } },
    ]) {
      expect((await change(newCode.id, body)).status).toBe(422)
    }
    expect((await change(newCode.id, { clear: ['redemption_code'] })).status).toBe(400)
    expect(await find(newCode.id)).toEqual(newCode)
  })
})

describe('the list', () => {
  it('shows paid uses, and uses left besides those on carts', async () => {
    const { id, redemption_code } = await makeCode(admin, redemptionCode({ max_uses: 5 }))
    const carts = Array.from({ length: 3 }, () => cartOf(admin.id))
    for (const cart of carts) await orders.reserve({ code: redemption_code ?? '' }, cart)
    expect(await find(id)).toMatchObject({ total_uses: 0, available: 2 })
    await orders.count(carts[0]?.order_id ?? '')
    await orders.release(carts[1]?.order_id ?? '')
    expect(await find(id)).toMatchObject({ total_uses: 1, available: 3 })
    await orders.release(carts[0]?.order_id ?? '')
    expect(await find(id)).toMatchObject({ total_uses: 1, available: 3 })
    await change(id, { max_uses: 1 })
    expect(await find(id)).toMatchObject({ total_uses: 1, available: 0 })
  })

  it('is filtered by type and organization, and sorted', async () => {
    const organization = await admin.post('/api/admin/organizations', {
      name: 'Crabs',
      client_fee_percent: 100,
    })
    const { id: organization_id } = organization.json<{ id: string }>()
    const names = ['Banana', 'Apple', 'Cherry']
    for (const name of names) await makeCode(admin, redemptionCode({ name, organization_id }))
    const surprise = await makeCode(admin, signedCode({ organization_id }))
    const listCodes = async (query: string) =>
      (await list(`organization_id=${organization_id}&${query}`)).data.map(({ name }) => name)

    expect(await listCodes('code_type=Discount&sort=name&dir=Asc')).toEqual(names.toSorted())
    expect(await listCodes('')).toEqual(['Surprise', ...names.toReversed()])
    const random = await list('code_type=RandomYat')
    expect(random.data.map(({ id }) => id)).toContain(surprise.id)
    expect(random.data.every(({ redemption_code }) => redemption_code === null)).toBe(true)
    expect((await admin.get('/api/codes?code_type=Gift')).status).toBe(400)
    expect((await admin.get('/api/codes?organization_id=1%20or%201=1')).status).toBe(400)
  })
})

describe('the keys of a code', () => {
  const at = (code_id: string, pubkey: string) => `/api/codes/${code_id}/pubkeys/${pubkey}`

  it('are listed and revoked, each returned as a JSON string', async () => {
    const { id } = await makeCode(admin, signedCode())
    const { pubkey } = keyPair()
    const additionAnswer = await admin.post(at(id, pubkey.toUpperCase()))
    expect([additionAnswer.status, additionAnswer.body]).toEqual([200, JSON.stringify(pubkey)])
    expect(additionAnswer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect((await admin.post(at(id, pubkey), {})).body).toBe(JSON.stringify(pubkey))
    expect((await find(id))?.pubkeys).toEqual([pubkey])
    const revokedAnswer = await admin.delete(at(id, pubkey.toUpperCase()))
    expect([revokedAnswer.status, revokedAnswer.body]).toEqual([200, JSON.stringify(pubkey)])
    expect((await find(id))?.pubkeys).toEqual([])
    expect((await admin.delete(at(id, pubkey))).status).toBe(404)
    expect((await admin.post(at(id, pubkey))).status).toBe(200)
    expect((await find(id))?.pubkeys).toEqual([pubkey])
  })

  it('must be public keys, and belong to signed codes', async () => {
    const [surprise, discount] = [
      await makeCode(admin, signedCode()),
      await makeCode(admin, redemptionCode()),
    ]
    const { pubkey } = keyPair()
    expect((await admin.post(at(surprise.id, '0'.repeat(64)))).status).toBe(400)
    expect((await admin.post(at(surprise.id, 'f'.repeat(64)))).status).toBe(400)
    expect((await admin.post(at(surprise.id, pubkey.slice(1)))).status).toBe(400)
    expect((await admin.post(at('1', pubkey))).status).toBe(400)
    expect((await admin.post(at(randomUUID(), pubkey))).status).toBe(404)
    const refusal = await admin.post(at(discount.id, pubkey))
    expect([refusal.status, refusal.json()['code']]).toEqual([422, 'wrong_activator'])
  })

  it('are limited to a hundred', async () => {
    const { id } = await makeCode(admin, signedCode())
    const rows = Array.from({ length: 100 }, () => ({
      code_id: id,
      pubkey: keyPair().pubkey,
      added_at: new Date(),
      revoked_at: null,
    }))
    await service.db.insertInto('code_pubkeys').values(rows).execute()
    expect((await admin.post(at(id, keyPair().pubkey))).status).toBe(422)
  })
})

it('every change of a code is audited (T115)', async () => {
  const { id } = await makeCode(admin, signedCode())
  const { pubkey } = keyPair()
  await change(id, { name: 'Renamed' })
  await admin.post(`/api/codes/${id}/pubkeys/${pubkey}`)
  await admin.delete(`/api/codes/${id}/pubkeys/${pubkey}`)
  await admin.delete(path(id))
  type Entry = { event: string; details: { code_id?: string } }
  const { data } = (await admin.get(`/api/admin/audit?actor_id=${admin.id}&limit=200`)).json<{
    data: Entry[]
  }>()
  const events = data.filter(({ details }) => details.code_id === id).map(({ event }) => event)
  expect(events.toReversed()).toEqual(
    ['created', 'changed', 'pubkey_added', 'pubkey_revoked', 'deleted'].map((end) => `code.${end}`),
  )
})

it('a user without the scope cannot create a code', async () => {
  const { post, get } = await newcomer(service, { password: goodPassword })
  expect((await post('/api/admin/codes', redemptionCode())).status).toBe(403)
  expect((await get('/api/codes')).status).toBe(403)
  expect(await refusal(orders.reserve({ code: newText() }, cartOf(admin.id)))).toMatchObject({
    code: 'invalid_code',
  })
})
