import type { EmojiId } from '@emojid/core'
import type { DatabaseMonitor } from '../../../platform/database/monitor.ts'
import type { KeyedReader } from '../../../platform/database/replica/keyed-reader.ts'
import type { Database } from '../../../tables.ts'
import type { Keys } from '../../identity/keys/keys.ts'
import type { Events } from '../../operations/events/events.ts'
import type { EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Stats } from '../stats/stats.ts'
import type { Limits } from './limits.ts'
import type { Entry, Lookup } from './rules.ts'
import type { Batch } from './schema.ts'

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

export type Deps = Options & { cache: RecordCache; batches: Batches; limits: Limits }
