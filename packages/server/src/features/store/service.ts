import type { EmojiId } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import { isWithin } from '../../platform/http/web-link.ts'
import type { Database, Transaction } from '../../tables.ts'
import { assertFresh, type Principal } from '../access/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Edits } from '../edits/index.ts'
import { type EmojiIds, isTheirs, UnregisteredError } from '../emoji-ids/index.ts'
import type { Records } from '../records/index.ts'
import { findEntries, findEntry, lockEntry, putEntry, removeEntries } from './repository.ts'
import { assertUnlocked, isLocked, leadTo, readData, UnknownLinkError } from './rules.ts'
import type { LockBody, StoreBody, StoreEntry, StoreKey } from './schema.ts'

export type Store = ReturnType<typeof createStore>

type Options = {
  db: Database
  records: Records
  edits: Edits
  emojiIds: EmojiIds
  audit: Audit
  now: () => Date
  /** Where people sign in: no link of an owner leads there. */
  authUrl: string
}

/** Something other features do when an owner has stored data, within the same transaction. */
type WhenStored = (trx: Transaction, id: EmojiId, key: StoreKey) => Promise<void>

export function createStore({ db, records, edits, emojiIds, audit, now, authUrl }: Options) {
  emojiIds.whenEmptied(async (trx, id) => void (await removeEntries(trx, id)))

  const whenStored: WhenStored[] = []
  const load = async (id: EmojiId, keys: readonly StoreKey[]) => {
    const found = await findEntries(db, id, keys)
    if (!found) throw new UnregisteredError(id)
    const { created_at, rows } = found
    const empty = { created_at, updated_at: created_at, data: {}, is_locked: false }
    return Object.fromEntries(
      keys.map((key) => {
        const row = rows.find((entry) => entry.key === key)
        const { id_created_at: _, key: __, ...stored } = row ?? {}
        const entry = { locked_future_writes_at: null, ...(row ? stored : empty) } as StoreEntry
        return [key, { ...entry, is_locked: isLocked(entry, now()) }]
      }),
    )
  }

  const putAndTell = async (trx: Transaction, id: EmojiId, key: StoreKey, data: string) => {
    await putEntry(trx, { emoji_id: id, key, data }, now())
    for (const action of whenStored) await action(trx, id, key)
  }

  return {
    load,
    /** What happens when an owner, or somebody for them, stores data. */
    whenStored: (action: WhenStored) => void whenStored.push(action),

    async loadOne(id: EmojiId, key: StoreKey): Promise<StoreEntry> {
      return (await load(id, [key]))[key] as StoreEntry
    },

    /** Where the link leads, if the id has it. */
    async follow(id: EmojiId, link: string): Promise<string> {
      const { data } = await this.loadOne(id, 'SvcLinkData')
      const target = leadTo(link, await records.records(id), data)
      if (target === undefined || isWithin(authUrl, target)) throw new UnknownLinkError()
      return target
    },

    /** An entry as if the owner had written it, without asking whether they may. */
    put: (trx: Transaction, id: EmojiId, key: StoreKey, data: unknown) =>
      putAndTell(trx, id, key, readData(data)),

    /** What the service itself has to say about an id; tells `false` where the entry is locked. */
    async putOwn(trx: Transaction, id: EmojiId, key: StoreKey, data: unknown): Promise<boolean> {
      const entry = await findEntry(trx, id, key)
      if (entry && isLocked(entry, now())) return false
      await putEntry(trx, { emoji_id: id, key, data: readData(data) }, now())
      return true
    },

    /** Stores data under a key, and in the same moment the records that belong to it. */
    async write(caller: Principal, id: EmojiId, key: StoreKey, body: StoreBody): Promise<void> {
      const data = readData(body.data)
      const { linked_tags, reason } = body
      if (linked_tags) assertFresh(caller, 'for_keys_too')
      await transact(db, async (trx) => {
        const owned = await emojiIds.loadToWrite(trx, caller, id)
        if (!isTheirs(caller, owned)) assertFresh(caller, 'for_keys_too')
        const entry = await findEntry(trx, id, key)
        assertUnlocked(entry, now())
        if (linked_tags) {
          await edits.replaceLinked(trx, caller, owned, {
            key,
            linked: linked_tags,
            ...(reason ? { reason } : {}),
          })
        }
        await putAndTell(trx, id, key, data)
        const noted = { actor_id: caller.user_id, subject_id: owned.user_id }
        await audit.note(trx, 'store.changed', { ...noted, details: { emoji_id: id, key, reason } })
      })
    },

    async lock(caller: Principal, id: EmojiId, key: StoreKey, body: LockBody): Promise<StoreEntry> {
      const end = body.locked_future_writes_at
      const lock = {
        is_locked: body.is_locked,
        locked_future_writes_at: end ? new Date(end) : null,
      }
      await transact(db, async (trx) => {
        const owned = await emojiIds.loadToChange(trx, id)
        await lockEntry(trx, id, key, lock, now())
        const details = {
          emoji_id: id,
          key,
          ...lock,
          ...(body.reason ? { reason: body.reason } : {}),
        }
        const noted = { actor_id: caller.user_id, subject_id: owned.user_id, details }
        await audit.note(trx, 'store.locked', noted)
      })
      return this.loadOne(id, key)
    },
  }
}
