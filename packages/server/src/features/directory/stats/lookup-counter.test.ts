import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../../test/support/database.ts'
import { testService } from '../../../../test/support/service.ts'
import { dayMs } from '../../../platform/time.ts'

const path = `/api/emoji_id/${encodeURIComponent('🔥🐍')}`
type Views = { stats: { value: number }[] }

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
    await views()
    second.clock.advance(dayMs)
    const tomorrow = await views()
    second.clock.advance(28 * dayMs)
    const nextMonth = await views()
    await second.close()

    expect(today).toBe(0)
    expect(tomorrow).toBe(6)
    expect(nextMonth).toBe(0)
  })
})
