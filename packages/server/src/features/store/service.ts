import type { EmojiId } from '@emojid/core'
import type { Database, Transaction } from '../../tables.ts'
import { UnregisteredError } from '../emoji-ids/index.ts'
import type { Records } from '../records/index.ts'
import { findEntries, putEntry } from './repository.ts'
import { leadTo, UnknownLinkError } from './rules.ts'
import type { StoreEntry, StoreKey } from './schema.ts'

export type Store = ReturnType<typeof createStore>

export function createStore({ db, records }: { db: Database; records: Records }) {
  const load = async (id: EmojiId, keys: readonly StoreKey[]) => {
    const found = await findEntries(db, id, keys)
    if (!found) throw new UnregisteredError(id)
    const { created_at, rows } = found
    const empty = { created_at, updated_at: created_at, data: {}, is_locked: false }
    return Object.fromEntries(
      keys.map((key) => {
        const row = rows.find((entry) => entry.key === key)
        const { id_created_at: _, key: __, ...stored } = row ?? {}
        return [key, { locked_future_writes_at: null, ...(row ? stored : empty) } as StoreEntry]
      }),
    )
  }

  return {
    load,

    async loadOne(id: EmojiId, key: StoreKey): Promise<StoreEntry> {
      return (await load(id, [key]))[key] as StoreEntry
    },

    /** Where the link leads, if the id has it. */
    async follow(id: EmojiId, link: string): Promise<string> {
      const { data } = await this.loadOne(id, 'SvcLinkData')
      const target = leadTo(link, await records.records(id), data)
      if (target === undefined) throw new UnknownLinkError()
      return target
    },

    put: (trx: Transaction, id: EmojiId, key: StoreKey, data: unknown) =>
      putEntry(trx, id, key, data),
  }
}
