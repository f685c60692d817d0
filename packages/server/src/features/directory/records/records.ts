import type { EmojiId } from '@emojid/core'
import { bindUseCases } from '../../../platform/bind.ts'
import { idOf } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
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
import { createBatches } from './batches.ts'
import type { Deps, Options } from './deps.ts'
import { createLimits } from './limits.ts'
import {
  findOperatorVersions,
  findUndoneVersions,
  listChanges,
  loadChange,
  showHistory,
} from './read-history.ts'
import { loadRecords, loadRecordsOfMany, proveRecords } from './read-records.ts'
import { createRecordCache } from './record-cache.ts'
import { findSize } from './repository.ts'
import { memorySource } from './rules.ts'
import {
  reduceStatesOf,
  reduceTask,
  saveFirstRecords,
  saveRecords,
  transferRecords,
} from './save-records.ts'

export {
  type Answer,
  assertSize,
  assertSizeOfUndo,
  auditedChange,
  fillPlaces,
  isAddress,
  isReordered,
  type KeptRecord,
  marksOf,
  nameAddress,
  recordsAtMost,
  recordsOnlyIn,
  restless,
  signedMessage,
  signingDomain,
  tooManyRecords,
} from './rules.ts'

export type Records = ReturnType<typeof createRecords>

/** The records of ids: lookups from the cache, versions, history. */
export function createRecords(options: Options) {
  const { stats, reader } = options
  const cache = createRecordCache(options)
  const limits = createLimits()
  const batches = createBatches({ seek: cache.seek, count: stats.count, limits })
  const deps: Deps = { ...options, cache, batches, limits }

  return {
    limits,
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
    peekAnswer: (id: EmojiId) => peekAnswer(deps, id),
    /** The source that answers from memory name; undefined without a replica. */
    memorySource: reader.hasReplica ? memorySource : undefined,
    whenDue: cache.whenDue,
    assertBatchAllowed: batches.assertAllowed,
    loadRecords,
    findSize,
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
