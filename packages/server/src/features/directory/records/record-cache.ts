import type { EmojiId } from '@emojid/core'
import { createClockCache } from '../../../platform/cache/clock-cache.ts'
import { createLoadingCache, LoadFailure } from '../../../platform/cache/loading-cache.ts'
import { isStatementFault } from '../../../platform/database/faults.ts'
import { dayMs } from '../../../platform/time.ts'
import { suspendedId, UnregisteredError } from '../emoji-ids/emoji-ids.ts'
import { countedWindow, dayOf, unknownViews } from '../stats/stats.ts'
import {
  type Answer,
  type Entry,
  memoryOf,
  memoryOfAnswer,
  type PreparedAnswers,
} from './answers.ts'
import type { Options, RecordCache } from './records.ts'
import { findRecordSets, findUncountedSets } from './repository.ts'
import { restless } from './rules.ts'

const noRecords = { records: '[]', views: 0, changes_at: null, suspended: false }
const triesAtMost = 5
/** Averages: most ids are small, so the number of ids is usually the limit. */
const bytesPerId = 12_000
const preparedBytesPerId = 4_000
const leastBytes = 16_000_000
/** By then every process has written its lookup counts of the day before. */
const closingMs = 30_000

/** Caches entries while the monitor says that this process missed no change. */
export function createRecordCache({
  reader,
  monitor,
  emojiIds,
  now,
  remembered,
}: Options): RecordCache {
  const findSets = findRecordSets(reader)
  const findUncounted = findUncountedSets(reader)
  /** An address must be found even if its views cannot be counted. */
  const findSnapshots = async (ids: string[], days: string[]) => {
    try {
      return await findSets(ids, days)
    } catch (error) {
      if (!isStatementFault(error)) throw error
      return findUncounted(ids, [])
    }
  }
  const latestWindow = () => countedWindow(new Date(now().getTime() - closingMs))
  const prepared = createClockCache<Answer>(remembered, {
    atMost: leastBytes + remembered * preparedBytesPerId,
    sizeOf: memoryOfAnswer,
  })
  let entriesMade = 0
  /** Entries of former versions are never asked for again, so the cache evicts their responses. */
  const answersOfEntry = (): PreparedAnswers => {
    const entry = entriesMade++
    return {
      get: (name) => prepared.get(`${entry} ${name}`),
      put: (name, answer) => prepared.put(`${entry} ${name}`, answer),
    }
  }
  let window = latestWindow()
  let applyDueChange = async (_id: EmojiId): Promise<void> => {}
  const settling = new Map<EmojiId, Promise<void>>()

  const cache = createLoadingCache<Entry>({
    capacity: remembered,
    bytes: { atMost: leastBytes + remembered * bytesPerId, sizeOf: memoryOf },
    isCurrent: () => monitor.isCurrent() && !dayChanged(),
    missing: (id) => newEntry(id, { ...noRecords, registered: false }),
    async load(ids) {
      const days = [dayOf(window.start), dayOf(window.finish)]
      const { rows, unanswered } = await findSnapshots(ids, days)
      const entriesById = new Map<string, Entry | LoadFailure>(
        rows.map(({ emoji_id, ...row }) => [
          emoji_id,
          newEntry(emoji_id, { registered: true, ...row }),
        ]),
      )
      for (const id of unanswered?.keys ?? [])
        entriesById.set(id, new LoadFailure(unanswered?.error))
      return entriesById
    },
  })
  emojiIds.watch(reader)
  emojiIds.watch(cache)

  /** Entries count the views of closed days: a new day clears the cache. */
  const dayChanged = () => {
    const age = now().getTime() - closingMs - window.finish.getTime()
    if (age >= 0 && age < dayMs) return false
    window = latestWindow()
    reader.clear()
    cache.clear()
    return true
  }
  const newEntry = (
    id: string,
    snapshot: Pick<
      Entry,
      'registered' | 'suspended' | 'records' | 'views' | 'changes_at' | 'read_at'
    >,
  ): Entry => ({
    id: id as EmojiId,
    window,
    answers: answersOfEntry(),
    ...snapshot,
  })

  const isDue = ({ changes_at, suspended }: Entry) =>
    changes_at !== null && !suspended && changes_at <= now().getTime()
  const peek = (id: EmojiId): Entry | undefined => {
    const entry = cache.peek(id)
    return entry && !isDue(entry) ? entry : undefined
  }
  const settle = (id: EmojiId): Promise<void> => {
    const runningTask = settling.get(id)
    if (runningTask) return runningTask
    const work = applyDueChange(id).finally(() => settling.delete(id))
    settling.set(id, work)
    return work
  }
  const load = async (id: EmojiId): Promise<Entry> => {
    for (let tries = 0; tries < triesAtMost; tries++) {
      const entry = await cache.get(id)
      // The counts may be readable again at the next lookup.
      if (entry.views === unknownViews) cache.forget(id)
      if (!isDue(entry)) return entry
      await settle(id)
      // Another process may have applied it, and its notice has not arrived yet.
      reader.forget(id)
      cache.forget(id)
    }
    throw restless()
  }

  return {
    peek,
    async seek(id) {
      const cachedEntry = peek(id)
      const entry = cachedEntry ?? (await load(id))
      if (!entry.registered) throw new UnregisteredError(id)
      if (entry.suspended) throw suspendedId()
      return { entry, was_kept: cachedEntry !== undefined }
    },
    whenDue(action) {
      applyDueChange = action
    },
  }
}
