import { setTimeout as sleep } from 'node:timers/promises'
import type { EmojiId } from '@emojid/core'
import { type Static, Type } from 'typebox'
import { bindUseCases } from '../../../platform/bind.ts'
import { isStatementFault } from '../../../platform/database/faults.ts'
import type { Log } from '../../../platform/log/log.ts'
import type { Database } from '../../../tables.ts'
import * as counts from './repository.ts'
import {
  countedWindow,
  currentDay,
  dayOf,
  unknownViews,
  untilMidnight,
  type Window,
  withEmptyDays,
} from './rules.ts'

export {
  countedWindow,
  dayOf,
  lookupMetric,
  todayMetric,
  unknownViews,
  type Window,
} from './rules.ts'
export const Metric = Type.Object({
  metric: Type.String({ description: 'What is counted' }),
  description: Type.String(),
  key: Type.String({ description: 'The canonical id' }),
  value: Type.Integer({ description: '-1 when unavailable' }),
  start_date: Type.String({ format: 'date-time' }),
  finish_date: Type.String({ format: 'date-time' }),
})
export type Metric = Static<typeof Metric>

export type Deps = { db: Database; now: () => Date; log: Log }

export type Stats = ReturnType<typeof createStats>

export function createStats(deps: Deps) {
  return {
    ...createLookupCounter(deps),
    ...bindUseCases(deps, { readDays, readViews, readViewsToday }),
  }
}

/** The counts of an id for each day of the past month and today; undefined while they cannot be read. */
async function readDays({ db, now }: Deps, id: EmojiId) {
  const { start } = countedWindow(now())
  const { finish } = currentDay(now())
  try {
    const rows = await counts.findDays(db, id, dayOf(start), dayOf(finish))
    return withEmptyDays(start, finish, rows)
  } catch (error) {
    if (!isStatementFault(error)) throw error
    return undefined
  }
}

/** How often ids were looked up on the closed days of the past month. */
const readViews = (deps: Deps, ids: readonly EmojiId[]): Promise<Map<string, number>> =>
  sumViews(deps, ids, countedWindow(deps.now()))

/** Counts are never worth a failed request: ids whose counts cannot be read have -1. */
async function sumViews({ db }: Deps, ids: readonly EmojiId[], { start, finish }: Window) {
  if (ids.length === 0) return new Map<string, number>()
  try {
    const rows = await counts.sumViews(db, ids, dayOf(start), dayOf(finish))
    return new Map(rows.map(({ emoji_id, views }) => [emoji_id, Number(views)]))
  } catch (error) {
    if (!isStatementFault(error)) throw error
    return new Map(ids.map((id) => [id as string, unknownViews]))
  }
}

/** How often an id was looked up today, as far as the processes have written their counts. */
async function readViewsToday(deps: Deps, id: EmojiId) {
  const window = currentDay(deps.now())
  return { value: (await sumViews(deps, [id], window)).get(id) ?? 0, window }
}

export const purgeCounts = (db: Database, at: Date) =>
  counts.purgeBefore(db, dayOf(countedWindow(at).start))

const flushEveryMs = 10_000
const pauseMs = 20
/** Small statements, because lookups share the database. */
const idsPerStatement = 250

type Batch = { day: string; ids: Map<EmojiId, counts.Count> }

/** Counts lookups in memory and writes them in batches: no lookup waits for a write. */
function createLookupCounter({ db, now, log }: Deps) {
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
