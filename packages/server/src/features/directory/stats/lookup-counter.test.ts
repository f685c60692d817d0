import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts'
import { at, grant } from '../../../../test/support/ids.ts'
import { newcomer, type Person, registerAs } from '../../../../test/support/people.ts'
import { type TestService, testService } from '../../../../test/support/service.ts'
import { dayMs } from '../../../platform/time.ts'

const path = `/api/emoji_id/${encodeURIComponent('🔥🐍')}`
type Views = { stats: { value: number }[] }
const statsOf = async ({ get }: Pick<Person, 'get'>) =>
  (await get(`${path}/stats`)).json<{ metrics: { metric: string; value: number }[] }>().metrics

describe('lookups', () => {
  let database: TestDatabase
  /** Counts lookups until it stops. */
  let first: TestService
  /** Reads the counts. */
  let second: TestService
  let today: number | undefined
  let payableId: string
  let emptyId: string
  beforeAll(async () => {
    // Midnight would move the lookups of today to yesterday.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    database = await testDatabase()
    first = await testService({ databaseUrl: database.url })
    for (const form of ['', '', '/BTC', '/payment']) await first.get(`${path}${form}`)
    await first.post('/api/emoji_id/lookup', { emoji_ids: ['🔥🐍', '🔥🐍'] })
    await first.get(`/api/emoji_id/${encodeURIComponent('🔥')}`)
    today = (await first.get(path)).json<Views>().stats[0]?.value
    const admin = await registerAs(first, 'Admin')
    payableId = await grant(admin, { user_id: admin.id })
    emptyId = await grant(admin, { user_id: admin.id })
    const address = { tag: '0x1003', data: '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa' }
    await admin.patch(at(payableId), { insert: [address] })
    for (const id of [payableId, emptyId]) {
      expect((await first.get(`/${encodeURIComponent(id)}`)).status).toBe(200)
    }
    await first.close()
    second = await testService({ databaseUrl: database.url })
  })
  afterAll(async () => {
    vi.useRealTimers()
    await second.close()
    await database.drop()
  })

  it('lookups are counted in every form and process, including cache hits, and shown once their day is over', async () => {
    const views = async () => (await second.get(path)).json<Views>().stats[0]?.value
    const person = await newcomer(second)
    const metrics = await statsOf(person)
    await views()
    second.clock.advance(dayMs)
    const tomorrow = await views()
    second.clock.advance(28 * dayMs)
    const nextMonth = await views()

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
    const ids = [payableId, emptyId]
    const rows = await second.db
      .selectFrom('lookup_counts')
      .select(['emoji_id', 'count', 'pages'])
      .where('emoji_id', 'in', ids)
      .execute()
    const sheetsOf = (id = '') => Number(rows.find(({ emoji_id }) => emoji_id === id)?.pages)
    expect(ids.map(sheetsOf)).toEqual([1, 0])
    expect(rows.every(({ count }) => Number(count) > 0)).toBe(true)
  })

  it('lookups are -1 while the counts cannot be read; addresses are found, and suspended ids refused', async () => {
    // Has no counts in memory.
    const fresh = await testService({ databaseUrl: database.url })
    const person = await newcomer(fresh)
    const search = `/api/emoji_id/search?emoji_id=${encodeURIComponent('🔥🐍')}`
    const valueIn = async () => {
      const lookup = (await fresh.get(path)).json<Views & { status: boolean; result: object[] }>()
      const { result } = (await fresh.get(search)).json<{ result: Views }>()
      const metrics = await statsOf(person)
      expect([lookup.status, lookup.result.length > 0]).toEqual([true, true])
      return [...lookup.stats, ...result.stats, ...metrics].map(({ value }) => value)
    }
    const rename = (from: string, to: string) =>
      sql`alter table ${sql.ref(from)} rename to ${sql.ref(to)}`.execute(fresh.db)
    await rename('lookup_counts', 'unreadable_counts')
    const bareValues = await valueIn()
    await fresh.db
      .updateTable('emoji_ids')
      .set({ suspended_at: fresh.clock.now() })
      .where('emoji_id', '=', emptyId)
      .execute()
    const suspended = await fresh.get(at(emptyId))
    await rename('unreadable_counts', 'lookup_counts')
    const secondValues = await valueIn()
    await fresh.close()

    expect(bareValues).toEqual([-1, -1, -1, -1])
    expect(suspended.status).toBe(451)
    expect(secondValues.every((value) => value >= 0)).toBe(true)
  })
})
