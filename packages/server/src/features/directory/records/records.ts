import type { EmojiId } from '@emojid/core'
import { bindUseCases } from '../../../platform/bind.ts'
import type { DatabaseMonitor } from '../../../platform/database/monitor.ts'
import type { KeyedReader } from '../../../platform/database/replica/keyed-reader.ts'
import { createBudget } from '../../../platform/http/limits.ts'
import { idOf } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Database } from '../../../tables.ts'
import type { Keys } from '../../identity/keys/keys.ts'
import type { Events } from '../../operations/events/events.ts'
import type { EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Stats } from '../stats/stats.ts'
import {
  answerLookup,
  answerSmall,
  countSheet,
  findChangeTime,
  lookUpBatch,
  lookUpRecords,
  peekAnswer,
  showStats,
} from './answer-lookup.ts'
import { type Entry, type Lookup, memorySource, type View } from './answers.ts'
import { createBatches } from './batches.ts'
import {
  findOperatorVersions,
  findUndoneVersions,
  listChanges,
  loadChange,
  pageBytes,
  showHistory,
} from './read-history.ts'
import { loadRecords, loadRecordsOfMany, proveRecords } from './read-records.ts'
import { createRecordCache } from './record-cache.ts'
import {
  reduceStatesOf,
  reduceTask,
  saveFirstRecords,
  saveRecords,
  transferRecords,
} from './save-records.ts'
import type { Batch } from './schema.ts'

export { type Answer, readPaymentView, readTags, type View } from './answers.ts'
export {
  fillPlaces,
  isAddress,
  isReordered,
  marksOf,
  nameAddress,
  recordsOnlyIn,
} from './compare-records.ts'
export type { LoadedRecords } from './read-records.ts'
export {
  assertCount,
  assertSize,
  assertSizeOfUndo,
  auditedChange,
  type KeptRecord,
  recordsAfterUndoAtMost,
  restless,
} from './rules.ts'
export { paymentPatterns } from './schema.ts'

export type Options = {
  db: Database
  /** Reads from the primary or a replica. */
  reader: KeyedReader
  keys: Keys
  events: Events
  monitor: DatabaseMonitor
  emojiIds: EmojiIds
  stats: Stats
  now: () => Date
  /** How many ids this process caches; 0 caches none. */
  remembered: number
}

export type RecordCache = {
  /** The cached entry, unless a delayed change of the id is due. */
  peek(id: EmojiId): Entry | undefined
  /** The cached entry or a new one; throws if the id is not registered. */
  seek(id: EmojiId): Promise<Lookup>
  /** Sets the action that applies a due change before an id is answered. */
  whenDue(action: (id: EmojiId) => Promise<void>): void
}

export type BatchResult = {
  answer: Buffer
  found: readonly Lookup[]
  /** Frees its bytes; call it when the response is closed. */
  release(): void
}

/** Lookups of many ids at once, with their rate limits. */
export type Batches = {
  assertAllowed(network: string): void
  lookUp(batch: Batch, network: string): Promise<BatchResult>
}

const megabyte = 1_000_000

/** In bytes, for large ids: 760 of the largest at once and 150 a second, if their responses are cached. */
const lookups = {
  each: { atOnce: 50 * megabyte, perSecond: 10 * megabyte },
  all: { atOnce: 150 * megabyte, perSecond: 30 * megabyte },
}

/** The states that a page of changes compares, in bytes: 6 ms of CPU per megabyte. */
const stateBytes = { atOnce: pageBytes.most, perSecond: 2 * megabyte }
const statesByNetwork = {
  each: stateBytes,
  all: { atOnce: 100 * megabyte, perSecond: 10 * megabyte },
}

const createLimits = () => ({
  lookups: createBudget('lookups', lookups),
  statesByAccount: createBudget('states of an account', { each: stateBytes }),
  statesByNetwork: createBudget('states', statesByNetwork),
})

export type Deps = Options & {
  cache: RecordCache
  batches: Batches
  limits: ReturnType<typeof createLimits>
}

export type Records = ReturnType<typeof createRecords>

/** The records of ids: lookups from the cache, versions, history. */
export function createRecords(options: Options) {
  const { stats, reader } = options
  const cache = createRecordCache(options)
  const limits = createLimits()
  const batches = createBatches({ seek: cache.seek, count: stats.count })
  const deps: Deps = { ...options, cache, batches, limits }

  return {
    ...bindUseCases(deps, {
      answerLookup,
      answerSmall,
      findChangeTime,
      countSheet,
      lookUpRecords,
      lookUpBatch,
      showStats,
      saveRecords,
      saveFirstRecords,
      reduceStatesOf,
      transferRecords,
      proveRecords,
      showHistory,
      listChanges,
    }),
    // Every lookup from memory calls it, so it is bound without rest arguments.
    peekAnswer: (id: EmojiId, view: View) => peekAnswer(deps, id, view),
    /** The source that answers from memory name; undefined without a replica. */
    memorySource: reader.hasReplica ? memorySource : undefined,
    whenDue: cache.whenDue,
    assertBatchAllowed: batches.assertAllowed,
    loadRecords,
    loadRecordsOfMany,
    loadChange,
    findUndoneVersions,
    findOperatorVersions,
  }
}

/** Reduces the old states of an id that an undo link could still need when they were replaced. */
export const recordJobs = (records: Records): JobModule => ({
  tasks: { [reduceTask]: (payload) => records.reduceStatesOf(idOf(payload) as EmojiId) },
})
