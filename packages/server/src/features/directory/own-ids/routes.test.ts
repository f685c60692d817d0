import { beforeAll, describe, expect, it } from 'vitest'
import { grant } from '../../../../test/support/ids.ts'
import { goodPassword, newcomer, type Person, registerAs } from '../../../../test/support/people.ts'
import type { TestService } from '../../../../test/support/service.ts'
import { sharedService } from '../../../../test/support/shared-service.ts'

let service: TestService
let admin: Person
let anna: Person
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
  anna = await newcomer(service, { password: goodPassword })
  for (const id of ['🔥🐍🦀🔥', '🔥🍕🍕👑', '🚀💎🚀💎'])
    await grant(admin, { user_id: anna.id }, id)
})

type Page = {
  data: { emoji_id: string; shortname: string; came_by: string; since: string }[]
  paging: { total: number; page: number }
}
const list = async (person: Person, query = '') =>
  (await person.get(`/api/account/emoji_ids?${query}`)).json<Page>()
const search = async (q: string) =>
  (await list(anna, `q=${encodeURIComponent(q)}`)).data.map(({ emoji_id }) => emoji_id)

describe('GET /account/emoji_ids', () => {
  it('lists the newest first, page by page, with dates', async () => {
    const first = await list(anna, 'limit=2')
    expect(first.paging).toMatchObject({ total: 3, page: 0, limit: 2 })
    expect(first.data.map(({ emoji_id }) => emoji_id)).toEqual(['🚀💎🚀💎', '🔥🍕🍕👑'])
    expect(first.data[0]).toMatchObject({ came_by: 'given', minted: false, blocked_until: null })
    expect(Date.parse(first.data[0]?.since ?? '')).toBeGreaterThan(Date.now() - 600_000)
    const second = await list(anna, 'limit=2&page=1')
    expect(second.data.map(({ emoji_id }) => emoji_id)).toEqual(['🔥🐍🦀🔥'])
  })

  it('finds by consecutive emojis, and by the names of emojis', async () => {
    expect(await search('🔥')).toEqual(['🔥🍕🍕👑', '🔥🐍🦀🔥'])
    expect(await search('🐍 🦀')).toEqual(['🔥🐍🦀🔥'])
    expect(await search('Fire sna')).toEqual(['🔥🐍🦀🔥'])
    expect(await search('rocket.diamond')).toEqual(['🚀💎🚀💎'])
    expect(await search('unknown')).toEqual([])
    expect(await search('%')).toEqual([])
  })

  it('GET /account/emoji_ids shows only ids of the caller', async () => {
    expect((await list(await newcomer(service, { password: goodPassword }))).paging.total).toBe(0)
    expect((await service.get('/api/account/emoji_ids')).status).toBe(401)
  })
})
