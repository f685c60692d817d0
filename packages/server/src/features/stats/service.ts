import type { EmojiId } from '@emojid/core'
import type { Log } from '../../platform/log/log.ts'
import type { Database } from '../../tables.ts'
import * as counts from './repository.ts'
import { countedWindow, dayOf, untilMidnight } from './rules.ts'

const flushEveryMs = 5_000
const idsPerStatement = 5_000

export type Stats = ReturnType<typeof createStats>

type Options = { db: Database; now: () => Date; log: Log }
type Batch = { day: string; ids: Map<EmojiId, number> }

/** Counts lookups in memory and writes them in batches: no lookup ever waits for a write. */
export function createStats({ db, now, log }: Options) {
  let current: Batch = { day: dayOf(now()), ids: new Map() }
  /** Not written yet, each under the day on which it was counted. */
  let waiting: Batch[] = []

  const close = () => {
    if (current.ids.size > 0) waiting.push(current)
    current = { day: dayOf(now()), ids: new Map() }
  }
  const flush = async () => {
    close()
    const batches = waiting
    waiting = []
    for (const batch of batches) {
      try {
        await write(batch)
      } catch (error) {
        log.warn({ err: error }, 'Lookups could not be counted yet; trying again')
        if (batch.ids.size > 0) waiting.push(batch)
      }
    }
  }
  /** In parts, each of which is forgotten once it is written. */
  const write = async ({ day, ids }: Batch) => {
    while (ids.size > 0) {
      const part = new Map([...ids].slice(0, idsPerStatement))
      await counts.addCounts(db, day, part)
      for (const id of part.keys()) ids.delete(id)
    }
  }
  const timer = setInterval(flush, flushEveryMs).unref()
  let midnight = setTimeout(turnOfDay, untilMidnight(now())).unref()
  function turnOfDay() {
    close()
    midnight = setTimeout(turnOfDay, untilMidnight(now())).unref()
  }

  return {
    count(id: EmojiId): void {
      current.ids.set(id, (current.ids.get(id) ?? 0) + 1)
    },
    purge: () => counts.purgeBefore(db, dayOf(countedWindow(now()).start)),
    async stop(): Promise<void> {
      clearInterval(timer)
      clearTimeout(midnight)
      await flush()
    },
  }
}
