import type { EmojiId } from '@emojid/core'
import { bindUseCases } from '../../../platform/bind.ts'
import { createBudget } from '../../../platform/http/limits.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Edits } from '../edits/edits.ts'
import type { EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Records } from '../records/records.ts'
import { lockStoreEntry } from './lock-entry.ts'
import { findTarget, readStore, showEntries, showOneEntry, stampStore } from './read-store.ts'
import { removeEntries } from './repository.ts'
import type { StoreKey } from './schema.ts'
import { putServiceEntry, putStoreEntry, writeStoreEntry } from './write-entry.ts'

export { redirectOf } from './rules.ts'

export type Options = {
  db: Database
  records: Records
  edits: Edits
  emojiIds: EmojiIds
  audit: Audit
  now: () => Date
  /** The sign-in site: links of owners must not lead there. */
  authUrl: string
}

/** Runs in the same transaction when data was stored. */
export type StoreListener = (trx: Transaction, id: EmojiId, key: StoreKey) => Promise<void>

const megabyte = 1_000_000

/** A request of 100 bytes can read over 1 MB. */
const readBytes = { atOnce: 20 * megabyte, perSecond: 2 * megabyte }
const answers = { each: readBytes, all: { atOnce: 100 * megabyte, perSecond: 10 * megabyte } }
/** Large pages of one network do not delay readers in other networks. */
const pages = { each: readBytes }

/** Reading and writing the longest entry takes 20 ms of CPU, the shortest 6. */
const writeLimits = {
  each: { atOnce: 20 * megabyte, perSecond: megabyte },
  all: { atOnce: 60 * megabyte, perSecond: 3 * megabyte },
}

const createLimits = () => ({
  answers: createBudget('store answers', answers),
  pages: createBudget('store pages', pages),
  written: createBudget('written records', writeLimits),
})

export type Deps = Options & {
  whenStored: StoreListener[]
  limits: ReturnType<typeof createLimits>
}

export type Store = ReturnType<typeof createStore>

/** Data that owners store with an id, by key. */
export function createStore(options: Options) {
  const { emojiIds } = options
  const whenStored: StoreListener[] = []
  const limits = createLimits()
  const deps: Deps = { ...options, whenStored, limits }
  emojiIds.whenEmptied(removeEntries)

  return {
    ...bindUseCases(deps, {
      readStore,
      stampStore,
      showEntries,
      showOneEntry,
      findTarget,
      putStoreEntry,
      putServiceEntry,
      writeStoreEntry,
      lockStoreEntry,
    }),
    limits,
    /** Adds an action that runs when an owner or operator stores data. */
    whenStored: (action: StoreListener) => void whenStored.push(action),
  }
}
