import type { EmojiId } from '@emojid/core'
import type { Log } from '../../platform/log/log.ts'
import type { Database } from '../../tables.ts'
import * as counts from './repository.ts'
import { countedWindow, dayOf } from './rules.ts'

const flushEveryMs = 5_000
const idsPerFlush = 5_000

export type Stats = ReturnType<typeof createStats>

type Options = { db: Database; now: () => Date; log: Log }

/** Counts lookups in memory and writes them in batches: no lookup ever waits for a write. */
export function createStats({ db, now, log }: Options) {
  let day = dayOf(now())
  let pending = new Map<EmojiId, number>()

  const flush = async () => {
    const [counted, ofDay] = [pending, day]
    pending = new Map()
    day = dayOf(now())
    const entries = [...counted]
    while (entries.length > 0) {
      const batch = entries.splice(0, idsPerFlush)
      try {
        await counts.addCounts(db, ofDay, new Map(batch))
      } catch (error) {
        log.warn({ err: error }, 'Lookups could not be counted; trying again')
        for (const [id, n] of [...batch, ...entries.splice(0)]) {
          pending.set(id, (pending.get(id) ?? 0) + n)
        }
      }
    }
  }
  const timer = setInterval(flush, flushEveryMs).unref()

  return {
    count(id: EmojiId): void {
      pending.set(id, (pending.get(id) ?? 0) + 1)
    },
    flush,
    purge: () => counts.purgeBefore(db, dayOf(countedWindow(now()).start)),
    async stop(): Promise<void> {
      clearInterval(timer)
      await flush()
    },
  }
}
