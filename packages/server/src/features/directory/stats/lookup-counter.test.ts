import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts'
import { grant } from '../../../../test/support/ids.ts'
import { newcomer, type Person, registerAs } from '../../../../test/support/people.ts'
import { testService } from '../../../../test/support/service.ts'
import { dayMs } from '../../../platform/time.ts'

const path = `/api/emoji_id/${encodeURIComponent('🔥🐍')}`
type Views = { stats: { value: number }[] }
const statsOf = async ({ get }: Pick<Person, 'get'>) =>
  (await get(`${path}/stats`)).json<{ metrics: { metric: string; value: number }[] }>().metrics

describe('lookups', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await testDatabase()
  })
  afterAll(() => database.drop())

  it('are counted in every form and process, including cache hits, and shown once their day is over', async () => {
    const first = await testService({ databaseUrl: database.url })
    for (const form of ['', '', '/BTC', '/payment']) await first.get(`${path}${form}`)
    await first.post('/api/emoji_id/lookup', { emoji_ids: ['🔥🐍', '🔥🐍'] })
    await first.get(`/api/emoji_id/${encodeURIComponent('🔥')}`)
    const today = (await first.get(path)).json<Views>().stats[0]?.value
    await first.close()

    const second = await testService({ databaseUrl: database.url })
    const views = async () => (await second.get(path)).json<Views>().stats[0]?.value
    const person = await newcomer(second)
    const metrics = await statsOf(person)
    await views()
    second.clock.advance(dayMs)
    const tomorrow = await views()
    second.clock.advance(28 * dayMs)
    const nextMonth = await views()
    await second.close()

    expect(today).toBe(0)
    // The page of the owner shows the current day too.
    expect(metrics).toMatchObject([
      { metric: 'api_emoji_lookups', value: 0 },
      { metric: 'api_emoji_lookups_today', value: 6 },
    ])
    expect(tomorrow).toBe(6)
    expect(nextMonth).toBe(0)
  })

  it('count opened payment sheets apart, for ids that can be paid only', async () => {
    const first = await testService({ databaseUrl: database.url })
    const admin = await registerAs(first, 'Admin')
    const ids = ['🔥🐍', await grant(admin, { user_id: admin.id })]
    for (const id of ids) expect((await first.get(`/${encodeURIComponent(id)}`)).status).toBe(200)
    await first.close()

    const second = await testService({ databaseUrl: database.url })
    const rows = await second.db
      .selectFrom('lookup_counts')
      .select(['emoji_id', 'count', 'pages'])
      .where('emoji_id', 'in', ids)
      .execute()
    await second.close()
    const sheetsOf = (id = '') => Number(rows.find(({ emoji_id }) => emoji_id === id)?.pages)
    expect(ids.map(sheetsOf)).toEqual([1, 0])
    expect(rows.every(({ count }) => Number(count) > 0)).toBe(true)
  })

  it('are -1 while the counts cannot be read; addresses are still found', async () => {
    const service = await testService({ databaseUrl: database.url })
    const person = await newcomer(service)
    const search = `/api/emoji_id/search?emoji_id=${encodeURIComponent('🔥🐍')}`
    const valueIn = async () => {
      const lookup = (await service.get(path)).json<Views & { status: boolean; result: object[] }>()
      const { result } = (await service.get(search)).json<{ result: Views }>()
      const metrics = await statsOf(person)
      expect([lookup.status, lookup.result.length > 0]).toEqual([true, true])
      return [...lookup.stats, ...result.stats, ...metrics].map(({ value }) => value)
    }
    const rename = (from: string, to: string) =>
      sql`alter table ${sql.ref(from)} rename to ${sql.ref(to)}`.execute(service.db)
    await rename('lookup_counts', 'unreadable_counts')
    const bareValues = await valueIn()
    await rename('unreadable_counts', 'lookup_counts')
    const secondValues = await valueIn()
    await service.close()

    expect(bareValues).toEqual([-1, -1, -1, -1])
    expect(secondValues.every((value) => value >= 0)).toBe(true)
  })
})
