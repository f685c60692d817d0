import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant } from './support/ids.ts'
import { goodPassword, newcomer, type Person, registerAs } from './support/people.ts'
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

describe('lists of ids of a user or an organization', () => {
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
