import { parseEmojiId } from '@emojid/core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TestService, testService } from '../../../test/support/service.ts'
import { transact } from '../../platform/database/database.ts'
import type { DatabaseMonitor } from '../../platform/database/monitor.ts'
import { createPool } from '../../platform/database/pool.ts'
import { preparing } from '../../platform/database/prepared.ts'
import { createLog } from '../../platform/log/log.ts'
import { createEmojiIds } from '../emoji-ids/index.ts'
import { createStats } from '../stats/index.ts'
import { createRecords } from './index.ts'

const id = parseEmojiId('🔥🐍')
const log = createLog('silent')
let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.close())

/** Trusts its memory for ever and never hears of a change. */
const deaf = {
  isAway: () => false,
  isCurrent: () => true,
  listen: () => {},
} as unknown as DatabaseMonitor

it('a writer sees its own change at once, even if no notice ever comes', async () => {
  const { db, database } = service
  const pool = createPool({ connection: database?.connection ?? {}, size: 1, log, name: 'deaf' })
  const now = () => new Date()
  const emojiIds = createEmojiIds({ monitor: deaf })
  const stats = createStats({ db, now, log })
  const prepare = preparing(pool, deaf)
  const records = createRecords({ prepare, monitor: deaf, emojiIds, stats, now, remembered: 10 })
  const seen = async () => (await records.records(id)).map(({ data }) => data)
  await seen()
  const changed = [{ tag: '0x5001', data: 'changed' }]
  await transact(db, (trx) => records.replace(trx, id, changed))
  const after = await seen()
  await stats.stop()
  await pool.end()

  expect(after).toEqual(['changed'])
})
