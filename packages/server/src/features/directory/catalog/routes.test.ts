import { emojiAlphabet, heldBackEmojis, popularity } from '@emojid/core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  goodPassword,
  newcomer,
  type Person,
  register,
  registerAs,
} from '../../../../test/support/people.ts'
import { type TestService, testService } from '../../../../test/support/service.ts'
import { buyer } from '../../../../test/support/shop.ts'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.close())

type Item = { emoji_id: string; availability: string; available: boolean; price: number }
const search = async (id: string, headers = {}) =>
  (await service.get(`/api/emoji_id/search?emoji_id=${encodeURIComponent(id)}`, { headers })).json<{
    result: Item & { copy: { features: string[] } }
    alternates: Item[]
  }>()

type PriceTable = { version: number; prices: (number | null)[] }
/** All price tables. When the test ends, the current prices apply again. */
async function keepPrices(admin: Person): Promise<PriceTable[]> {
  const tables = (await admin.get('/api/admin/prices')).json<PriceTable[]>()
  onTestFinished(async () => {
    const body = { prices: tables[0]?.prices, reason: 'The test ended' }
    expect((await admin.post('/api/admin/prices', body)).status).toBe(200)
  })
  return tables
}

describe('a search', () => {
  it('returns the price, its reasons and alternatives', async () => {
    const { result, alternates } = await search('🦀🌊🦀')

    expect(result).toMatchObject({ emoji_id: '🦀🌊🦀', available: true, availability: 'Available' })
    expect(result.price).toBeGreaterThan(0)
    expect(result.copy.features.join(' ')).toContain('Bookends')
    expect(alternates).toHaveLength(12)
    expect(alternates.every(({ available, price }) => available && price > 0)).toBe(true)
    expect(new Set(alternates.map(({ emoji_id }) => emoji_id)).size).toBe(12)
    expect(await search('🦀🌊🦀')).toEqual({ result, alternates })
  })

  it('distinguishes popular emojis from rare ones', async () => {
    const byPopularity = emojiAlphabet
      .filter((emoji) => !heldBackEmojis().has(emoji))
      .toSorted((a, b) => popularity(a) - popularity(b))
    const about = async (emoji = '') =>
      (await search(emoji.repeat(3))).result.copy.features.join(' ')

    expect(await about(byPopularity[0])).toContain('rare ones')
    expect(await about(byPopularity.at(-1))).toContain('popular ones')
  })

  it.each([
    ['🔥🐍', 'Taken'],
    ['🔥', 'NoPrice'],
  ])('for %s returns %s, without a price', async (id, availability) => {
    expect((await search(id)).result).toMatchObject({ availability, available: false, price: 0 })
  })

  it('for an id with unreleased emojis returns ComingSoon', async () => {
    const [heldBack = ''] = heldBackEmojis().keys()
    expect((await search(`🦀🦀${heldBack}`)).result.availability).toBe('ComingSoon')
  })

  it('a search shows a hold to all users except its holder', async () => {
    const holder = await newcomer(service, { password: goodPassword })
    const hold = {
      emoji_id: '🦀🐙🦀',
      user_id: holder.id,
      order_id: crypto.randomUUID(),
      expires_at: new Date(Date.now() + 60_000),
    }
    await service.db.insertInto('holds').values(hold).execute()
    const authorization = `Bearer ${holder.tokens.access_token}`

    expect((await search('🦀🐙🦀')).result.availability).toBe('InCart')
    expect((await search('🦀🐙🦀', { authorization })).result.availability).toBe('Available')
    const expired = { authorization: 'Bearer expired.or.nonsense' }
    expect((await search('🦀🐙🦀', expired)).result.availability).toBe('InCart')
  })

  it('offers no owned neighbour', async () => {
    const [first] = (await search('🐙🐙🦀')).alternates
    const admin = await registerAs(service, 'Admin')
    const body = { emoji_id: first?.emoji_id, user_id: admin.id }
    expect((await admin.post('/api/admin/emoji_ids', body)).status).toBe(200)
    const after = (await search('🐙🐙🦀')).alternates.map(({ emoji_id }) => emoji_id)
    expect(after).toHaveLength(12)
    expect(after).not.toContain(first?.emoji_id)
  })

  it.each(['', 'x', '🔥‍🔥', '🔥🔥🔥🔥🔥🔥🔥'])('rejects "%s"', async (id) => {
    const answer = await service.get(`/api/emoji_id/search?emoji_id=${encodeURIComponent(id)}`)
    expect(answer.status).toBe(400)
  })
})

describe('random ids', () => {
  it('random ids are ten, different each time, and available', async () => {
    const draw = async () =>
      (await service.get('/api/emoji_id/random')).json<{ result: Item[] }>().result
    const [one, other] = [await draw(), await draw()]

    expect(one).toHaveLength(10)
    expect(one.every(({ availability }) => availability === 'Available')).toBe(true)
    expect(one).not.toEqual(other)
  })
})

describe('recent ids', () => {
  it('recent ids are bought ids, newest first, without granted ones', async () => {
    const admin = await registerAs(service, 'Admin')
    for (const emoji_id of ['🌊🐙🐙', '🌊🌊🐙']) {
      const person = await buyer(service)
      const { id, total_in_cents: amount } = await person.add(emoji_id)
      const cash = { method: 'Cash', amount, external_reference: emoji_id }
      expect((await admin.post(`/api/cart/checkout/${id}`, cash)).status).toBe(200)
    }
    await admin.post('/api/admin/emoji_ids', { emoji_id: '🐙🐙🐙', user_id: admin.id })
    const { result } = (await service.get('/api/emoji_id/recent')).json<{ result: Item[] }>()

    expect(result.map(({ emoji_id }) => emoji_id)).toEqual(['🌊🌊🐙', '🌊🐙🐙'])
    expect(result[0]).toMatchObject({ availability: 'Taken', price: 0 })
  })
})

describe('prices', () => {
  it('prices are changed by an administrator with a reason, and keep their history', async () => {
    const admin = await registerAs(service, 'Admin')
    const user = await newcomer(service, { password: goodPassword })
    const oldVersions = (await keepPrices(admin)).map(({ version }) => version)
    const version = (oldVersions[0] ?? 0) + 1
    const before = (await search('🦀🌊🌊')).result.price
    const prices = Array.from({ length: 100 }, (_, at) => (at === 99 ? null : 700 + at))
    const body = { prices, reason: 'Summer sale' }

    expect((await user.post('/api/admin/prices', body)).status).toBe(403)
    expect((await admin.post('/api/admin/prices', { ...body, prices: [1] })).status).toBe(400)
    expect((await admin.post('/api/admin/prices', body)).json()).toMatchObject({ version })
    expect((await search('🦀🌊🌊')).result.price).not.toBe(before)
    const tables = (await admin.get('/api/admin/prices')).json<PriceTable[]>()
    expect(tables.map((table) => table.version)).toEqual([version, ...oldVersions])
  })

  it('prices change only if the change is based on the current version, or names none', async () => {
    const admin = await registerAs(service, 'Admin')
    const [newest] = await keepPrices(admin)
    const version = newest?.version ?? 0
    const set = async (based_on?: number) => {
      const body = { prices: newest?.prices, reason: 'Inflation', based_on }
      const answer = await admin.post('/api/admin/prices', body)
      return [answer.status, answer.json()['code']]
    }
    for (const outdated of [version - 1, version + 1])
      expect(await set(outdated)).toEqual([409, 'outdated_prices'])
    expect(await set(version)).toEqual([200, undefined])
    expect(await set(version)).toEqual([409, 'outdated_prices'])
    expect(await set()).toEqual([200, undefined])
  })
})

describe('another process, with CATALOG_REQUIRES_TOKEN', () => {
  it('rejects a search without a token, and soon applies a price table that sells nothing', async () => {
    const path = `/api/emoji_id/search?emoji_id=${encodeURIComponent('🦀🌊🦀')}`
    const env = { CATALOG_REQUIRES_TOKEN: 'true' }
    const other = await testService({ databaseUrl: service.database?.url ?? '', env })
    const [admin, user] = [await registerAs(service, 'Admin'), await register(other)]
    await keepPrices(admin)
    const bareAnswer = await other.get(path)
    const availability = async () =>
      (await user.get(path)).json<{ result: Item }>().result.availability
    const before = await availability()
    const body = { prices: Array(100).fill(null), reason: 'Closed for today' }
    expect((await admin.post('/api/admin/prices', body)).status).toBe(200)
    await expect.poll(availability, { interval: 20 }).toBe('NoPrice')
    const random = await user.get('/api/emoji_id/random')
    await other.close()

    expect([bareAnswer.status, before]).toEqual([401, 'Available'])
    expect(random.json()).toEqual({ result: [] })
  })
})
