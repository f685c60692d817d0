import { checkRecord, type EmojiId, type RecordInput, recordHash } from '@emojid/core'
import { createLoadingCache } from '../../platform/cache/loading-cache.ts'
import type { DatabaseMonitor } from '../../platform/database/monitor.ts'
import type { Prepare } from '../../platform/database/prepared.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { Transaction } from '../../tables.ts'
import { type EmojiIds, readEmojiId, UnregisteredError } from '../emoji-ids/index.ts'
import { countedWindow, dayOf, type Stats } from '../stats/index.ts'
import { findRecordSets, replaceRecordSet } from './repository.ts'
import {
  type Answer,
  answerFor,
  type Entry,
  foundItem,
  readTags,
  recordsOf,
  refusedItem,
  type View,
} from './rules.ts'
import type { Batch } from './schema.ts'

export type Records = ReturnType<typeof createRecords>

type Options = {
  prepare: Prepare
  monitor: DatabaseMonitor
  emojiIds: EmojiIds
  stats: Stats
  now: () => Date
  /** How many ids this process remembers; 0 remembers none. */
  remembered: number
}

export function createRecords(options: Options) {
  const { prepare, monitor, emojiIds, stats, now, remembered } = options
  const findSets = findRecordSets(prepare)
  const latestWindow = () => countedWindow(new Date(now().getTime() - closingMs))
  let window = latestWindow()

  const cache = createLoadingCache<Entry>({
    capacity: remembered,
    isCurrent: () => monitor.isCurrent() && !dayChanged(),
    missing: (id) => newEntry(id, { registered: false, records: '[]', views: 0 }),
    async load(ids) {
      const rows = await findSets([ids, dayOf(window.start), dayOf(window.finish)])
      return new Map(
        rows.map(({ emoji_id, ...row }) => [
          emoji_id,
          newEntry(emoji_id, { registered: true, ...row }),
        ]),
      )
    },
  })
  emojiIds.watch(cache)

  /** Views are those of closed days: with a new day every answer is made anew. */
  const dayChanged = () => {
    const age = now().getTime() - closingMs - window.finish.getTime()
    if (age >= 0 && age < dayMs) return false
    window = latestWindow()
    cache.clear()
    return true
  }
  const newEntry = (id: string, found: Pick<Entry, 'registered' | 'records' | 'views'>): Entry => ({
    ...{ id: id as EmojiId, window, answers: new Map() },
    ...found,
  })

  const find = async (id: EmojiId): Promise<Entry> => {
    const entry = await cache.get(id)
    if (!entry.registered) throw new UnregisteredError(id)
    return entry
  }
  const lookUp = async (id: EmojiId): Promise<Entry> => {
    const entry = await find(id)
    stats.count(id)
    return entry
  }

  return {
    async answer(id: EmojiId, view: View): Promise<Answer> {
      return answerFor(await lookUp(id), view)
    },

    /** The whole of an id from memory, if what is remembered may be trusted right now. */
    peek(id: EmojiId): Answer | undefined {
      const entry = cache.peek(id)
      if (!entry?.registered) return undefined
      stats.count(id)
      entry.whole ??= answerFor(entry, { form: 'lookup' })
      return entry.whole
    },

    records: async (id: EmojiId) => recordsOf(await lookUp(id)),

    /** Many ids at once, as JSON text; what is wrong with one is told beside it and harms no other. */
    async batch({ emoji_ids, tags }: Batch): Promise<string> {
      const wanted = readTags(tags?.join(','))
      const found = new Set<EmojiId>()
      const items = await Promise.all(
        emoji_ids.map(async (text) => {
          try {
            const entry = await find(readEmojiId(text))
            found.add(entry.id)
            return foundItem(text, entry, wanted)
          } catch (error) {
            if (!(error instanceof ServiceError) || error.kind === 'unavailable') throw error
            return refusedItem(text, error)
          }
        }),
      )
      for (const id of found) stats.count(id)
      return `{"data":[${items.join(',')}]}`
    },

    /** Puts checked records in place of all that an id has. */
    async replace(trx: Transaction, id: EmojiId, inputs: readonly RecordInput[]) {
      const records = inputs.map(checkRecord).map(({ tag, data }) => ({
        ...{ tag, data },
        hash: recordHash(tag, data),
      }))
      await replaceRecordSet(trx, id, JSON.stringify(records))
      emojiIds.forgetAfterCommit(trx, id)
    },
  }
}

const dayMs = 24 * 60 * 60 * 1_000
/** By then every process has written down what it counted on the day before. */
const closingMs = 30_000
