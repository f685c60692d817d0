import { bindUseCases } from '../../../platform/bind.ts'
import type { Deps, Options, StoreListener } from './deps.ts'
import { createLimits } from './limits.ts'
import { lockStoreEntry } from './lock-entry.ts'
import { followLink, readStore, showEntries, showOneEntry, stampStore } from './read-store.ts'
import { removeEntries } from './repository.ts'
import { putServiceEntry, putStoreEntry, writeStoreEntry } from './write-entry.ts'

export { redirectOf } from './rules.ts'

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
      followLink,
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
