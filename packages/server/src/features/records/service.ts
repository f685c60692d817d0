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
  const find = findRecordSets(prepare)
  let window = countedWindow(now())

  const cache = createLoadingCache<Entry>({
    capacity: remembered,
    isCurrent: () => monitor.isCurrent() && !dayChanged(),
    missing: (id) => newEntry(id, { registered: false, records: '[]', views: 0 }),
    async load(ids) {
      const rows = await find([ids, dayOf(window.start), dayOf(window.finish)])
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
    if (now().getTime() < window.finish.getTime() + dayMs) return false
    window = countedWindow(now())
    cache.clear()
    return true
  }
  const newEntry = (id: string, found: Pick<Entry, 'registered' | 'records' | 'views'>): Entry => ({
    ...{ id: id as EmojiId, window, answers: new Map() },
    ...found,
  })

  const lookUp = async (id: EmojiId): Promise<Entry> => {
    const entry = await cache.get(id)
    if (!entry.registered) throw new UnregisteredError(id)
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
      const items = await Promise.all(
        emoji_ids.map(async (text) => {
          try {
            return foundItem(text, await lookUp(readEmojiId(text)), wanted)
          } catch (error) {
            if (!(error instanceof ServiceError) || error.kind === 'unavailable') throw error
            return refusedItem(text, error)
          }
        }),
      )
      return `{"data":[${items.join(',')}]}`
    },

    /** Puts checked records in place of all that an id has. */
    async replace(trx: Transaction, id: EmojiId, inputs: readonly RecordInput[]) {
      const records = inputs.map(checkRecord).map(({ tag, data }) => ({
        ...{ tag, data },
        hash: recordHash(tag, data),
      }))
      await replaceRecordSet(trx, id, JSON.stringify(records))
      await emojiIds.announceChange(trx, id)
    },
  }
}

const dayMs = 24 * 60 * 60 * 1_000
