import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../support/ids.ts'
import type { TestService } from '../support/service.ts'
import { sharedPair } from '../support/shared-service.ts'

let service: TestService
let second: TestService
beforeAll(async () => {
  ;({ service, second } = await sharedPair())
})

type Cursor = Awaited<ReturnType<TestService['events']['readCursorOfNow']>>
const lastCursor = () => service.events.readCursorOfNow()
const write = (trx: Parameters<TestService['events']['recordEvent']>[0], emoji_id: string) =>
  service.events.recordEvent(trx, {
    type: 'emoji_id.records_changed',
    emoji_id,
    data: { version: 1, tags: [] },
    audience: [],
  })

/** Reads from a cursor until these ids were seen. */
async function readUntil(at: TestService, after: Cursor, wanted: readonly string[]) {
  const states: string[] = []
  let from = after
  while (!wanted.every((id) => states.includes(id))) {
    const { events, next } = await at.events.readEvents({ after: from, limit: 100 })
    states.push(...events.map(({ emoji_id }) => String(emoji_id)))
    from = next
    await sleep(5)
  }
  return { seen: states, next: from }
}

describe('an event', () => {
  it('an event of a transaction that commits late is read after one that was inserted later (T126)', async () => {
    const [earlyId, lateId] = [newId(), newId()]
    const start = await lastCursor()
    const first = await service.db.startTransaction().execute()
    await write(first, earlyId)
    await second.db.transaction().execute((trx) => write(trx, lateId))
    const before = await readUntil(second, start, [lateId])
    expect(before.seen).not.toContain(earlyId)
    await first.commit().execute()
    const after = await readUntil(second, before.next, [earlyId])
    expect(after.seen).not.toContain(lateId)
  })

  it('an event of a transaction that is rolled back is never read', async () => {
    const [lostId, keptId] = [newId(), newId()]
    const start = await lastCursor()
    const first = await service.db.startTransaction().execute()
    await write(first, lostId)
    await first.rollback().execute()
    await second.db.transaction().execute((trx) => write(trx, keptId))
    expect((await readUntil(service, start, [keptId])).seen).not.toContain(lostId)
  })
})

describe('two processes', () => {
  it('number 100 concurrent events without a gap, and show the same order', async () => {
    const start = await lastCursor()
    const ids = Array.from({ length: 100 }, newId)
    await Promise.all(
      ids.map((id, nth) =>
        (nth % 2 ? second : service).db.transaction().execute((trx) => write(trx, id)),
      ),
    )
    const one = await readUntil(service, start, ids)
    const other = await readUntil(second, start, ids)
    expect(other.seen.slice(0, 100)).toEqual(one.seen.slice(0, 100))
    const { events } = await service.events.readEvents({ after: start, limit: 100 })
    expect(events.map(({ number }) => number)).toEqual(
      Array.from({ length: 100 }, (_, nth) => start.number + nth + 1),
    )
  })
})
