import { parseEmojiId } from '@emojid/core'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { transact } from '../../src/platform/database/database.ts'
import { type TestDatabase, testDatabase } from '../support/database.ts'
import { type DatabaseProxy, databaseProxy } from '../support/proxy.ts'
import { type TestService, testService } from '../support/service.ts'

const id = parseEmojiId('🔥🐍')
const path = `/api/emoji_id/${encodeURIComponent(id)}`
let database: TestDatabase
let proxy: DatabaseProxy
let writer: TestService
let reader: TestService

beforeAll(async () => {
  database = await testDatabase()
  writer = await testService({ databaseUrl: database.url })
  proxy = await databaseProxy(database.connection, database.url)
  reader = await testService({ databaseUrl: proxy.url, isHurried: true })
})
afterAll(async () => {
  proxy.heal()
  await reader.close()
  await writer.close()
  await proxy.close()
  await database.drop()
})

const write = (text: string) =>
  transact(writer.db, (trx) =>
    writer.edits.writeDemoRecords(trx, id, [{ tag: '0x5001', data: text }]),
  )

/** The current value of an id, or the status of the refusal. */
async function read(service: TestService): Promise<string | number> {
  const answer = await service.get(path)
  if (answer.status !== 200) return answer.status
  return answer.json<{ result: { data: string }[] }>().result[0]?.data ?? ''
}

/** Repeats lookups until one comes from the cache. */
async function remember(service: TestService) {
  await expect.poll(() => read(service)).not.toBe(503)
  for (let n = 0; n < 3; n++) await read(service)
}

describe('a change', () => {
  it('is seen by the next lookup of the same process, every time', async () => {
    for (let n = 0; n < 15; n++) {
      const racing = Promise.all([read(writer), read(writer), read(writer)])
      await write(`same ${n}`)
      expect(await read(writer)).toBe(`same ${n}`)
      await racing
    }
  })

  // stress/lookups.ts measures that each takes less than a second.
  it('made by any SQL statement is seen', async () => {
    await remember(writer)
    await sql`update record_sets set records = '[{"tag":"0x5001","data":"by hand","hash":"${sql.raw('0'.repeat(64))}"}]'
      where emoji_id = ${id}`.execute(writer.db)
    await expect.poll(() => read(writer), { interval: 10 }).toBe('by hand')
  })

  it('is seen by another process', async () => {
    await remember(reader)
    for (let n = 0; n < 5; n++) {
      await write(`other ${n}`)
      await expect.poll(() => read(reader), { interval: 10 }).toBe(`other ${n}`)
    }
  })

  it.each(['cut', 'freeze'] as const)(
    'is not hidden by the cache while the connection is lost (%s)',
    async (way) => {
      await write('before')
      await expect.poll(() => read(reader)).toBe('before')
      await remember(reader)
      proxy[way]()
      await write('after')
      await expect.poll(() => read(reader)).toBe(503)
      const values = new Set<string | number>()
      for (let n = 0; n < 10; n++) values.add(await read(reader))
      expect([...values]).toEqual([503])
      proxy.heal()
      // From the first response on: the earlier cache is dropped.
      await expect.poll(() => read(reader)).not.toBe(503)
      expect(await read(reader)).toBe('after')
    },
  )

  it('made while the listener was disconnected is seen after the reconnect', async () => {
    await remember(reader)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name like 'emojid-monitor-%'`.execute(
      writer.db,
    )
    await write('unheard')
    await expect.poll(() => read(reader)).toBe('unheard')
  })
})
