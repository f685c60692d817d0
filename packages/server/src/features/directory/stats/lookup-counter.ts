import { setTimeout as sleep } from 'node:timers/promises'
import type { EmojiId } from '@emojid/core'
import type { Deps } from './deps.ts'
import * as counts from './repository.ts'
import { dayOf, untilMidnight } from './rules.ts'

const flushEveryMs = 10_000
const pauseMs = 20
/** Small statements, because lookups share the database. */
const idsPerStatement = 250

type Batch = { day: string; ids: Map<EmojiId, counts.Count> }

/** Counts lookups in memory and writes them in batches: no lookup waits for a write. */
export function createLookupCounter({ db, now, log }: Deps) {
  let current: Batch = { day: dayOf(now()), ids: new Map() }
  /** Counts not written yet, by day. */
  let waitingBatches: Batch[] = []

  const countOf = (id: EmojiId): counts.Count => {
    const knownCount = current.ids.get(id)
    if (knownCount) return knownCount
    const started = { lookups: 0, pages: 0 }
    current.ids.set(id, started)
    return started
  }
  const close = () => {
    if (current.ids.size > 0) waitingBatches.push(current)
    current = { day: dayOf(now()), ids: new Map() }
  }
  const flush = async (pause: number) => {
    close()
    const batches = waitingBatches
    waitingBatches = []
    for (const batch of batches) {
      try {
        await write(batch, pause)
      } catch (error) {
        log.warn({ err: error }, 'Lookup counts could not be written; retrying')
        if (batch.ids.size > 0) waitingBatches.push(batch)
      }
    }
  }
  /**
   * Writes in parts and drops each part once it is written. Pauses in between, because lookups come
   * first.
   */
  const write = async ({ day, ids }: Batch, pause: number) => {
    while (ids.size > 0) {
      const part = firstOf(ids, idsPerStatement)
      await counts.addCounts(db, day, part)
      for (const id of part.keys()) ids.delete(id)
      if (pause > 0) await sleep(pause)
    }
  }
  let flushing: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    flushing = flushing.then(() => flush(pauseMs))
  }, flushEveryMs).unref()
  let midnight = setTimeout(turnOfDay, untilMidnight(now())).unref()
  function turnOfDay() {
    close()
    midnight = setTimeout(turnOfDay, untilMidnight(now())).unref()
  }

  return {
    count(id: EmojiId): void {
      countOf(id).lookups++
    },
    /** The page with the sheet was counted as a lookup. */
    countSheet(id: EmojiId): void {
      countOf(id).pages++
    },
    async stop(): Promise<void> {
      clearInterval(timer)
      clearTimeout(midnight)
      await flushing
      await flush(0)
    },
  }
}

function firstOf<Key, Value>(map: Map<Key, Value>, count: number): Map<Key, Value> {
  const first = new Map<Key, Value>()
  for (const [key, value] of map) {
    if (first.size === count) break
    first.set(key, value)
  }
  return first
}
