import type { EmojiId } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import { type Allowance, createAllowance } from '../../platform/http/allowance.ts'
import { isWithin } from '../../platform/http/web-link.ts'
import { currentNetwork } from '../../platform/request-id.ts'
import type { Database, Transaction } from '../../tables.ts'
import { assertFresh, type Principal } from '../access/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Edits } from '../edits/index.ts'
import { type EmojiIds, isTheirs, UnregisteredError } from '../emoji-ids/index.ts'
import type { Records } from '../records/index.ts'
import { findEntries, findEntry, lockEntry, putEntry, removeEntries } from './repository.ts'
import {
  assertUnlocked,
  isLocked,
  leadTo,
  parseData,
  readData,
  type StoredEntry,
  showEntry,
  UnknownLinkError,
} from './rules.ts'
import type { LockBody, StoreBody, StoreKey } from './schema.ts'

const megabyte = 1_000_000
const each = { atOnce: 20 * megabyte, perSecond: 2 * megabyte }
const reservedBytes = 64_000
/** The rate limits of public reads. A request of 100 bytes can read over 1 MB. */
const bytes = {
  answers: { each, all: { atOnce: 100 * megabyte, perSecond: 10 * megabyte } },
  // Readers of pages do not wait because of other networks.
  pages: { each, all: { atOnce: Number.POSITIVE_INFINITY, perSecond: Number.POSITIVE_INFINITY } },
}

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
  const load = async (id: EmojiId, keys: readonly StoreKey[]): Promise<StoredEntry[]> => {
    const found = await findEntries(db, id, keys)
    if (!found) throw new UnregisteredError(id)
    const { created_at, rows } = found
    return keys.map((key) => {
      const row = rows.find((entry) => entry.key === key)
      const locked = {
        is_locked: row?.is_locked ?? false,
        locked_future_writes_at: row?.locked_future_writes_at ?? null,
      }
      return {
        created_at: row?.created_at ?? created_at,
        data: row?.data ?? '{}',
        is_locked: isLocked(locked, now()),
        updated_at: row?.updated_at ?? created_at,
        locked_future_writes_at: locked.locked_future_writes_at,
      }
    })
  }
  const allowed = { answers: createAllowance(bytes.answers), pages: createAllowance(bytes.pages) }
  const loadWithin = async (
    allowance: Allowance,
    id: EmojiId,
    keys: readonly StoreKey[],
  ): Promise<StoredEntry[]> => {
    const network = currentNetwork()
    allowance.assertLeft(network)
    // What is read counts, not what is sent: HEAD costs the same read, for its length and ETag.
    // Taken before the read, so that many concurrent reads do not pass the limit together.
    const reserved = keys.length * reservedBytes
    allowance.take(network, reserved)
    const entries = await load(id, keys).catch((error) => {
      allowance.take(network, -reserved)
      throw error
    })
    const read = entries.reduce((sum, { data }) => sum + data.length, 0)
    allowance.take(network, read - reserved)
    return entries
  }
  /** Parsed data for our own pages, in the order of the keys. */
  const read = async (id: EmojiId, keys: readonly StoreKey[]): Promise<unknown[]> =>
    (await loadWithin(allowed.pages, id, keys)).map(({ data }) => parseData(data))

  const putAndTell = async (trx: Transaction, id: EmojiId, key: StoreKey, data: string) => {
    await putEntry(trx, { emoji_id: id, key, data }, now())
    for (const action of whenStored) await action(trx, id, key)
  }

  return {
    read,

    /** Entries by key, as JSON text. */
    async show(id: EmojiId, keys: readonly StoreKey[]): Promise<string> {
      const shown = (await loadWithin(allowed.answers, id, keys)).map(showEntry)
      return `{${keys.map((key, place) => `"${key}":${shown[place]}`).join(',')}}`
    },

    /** One entry, as JSON text. */
    async showOne(id: EmojiId, key: StoreKey): Promise<string> {
      const [entry] = await loadWithin(allowed.answers, id, [key])
      return entry ? showEntry(entry) : '{}'
    },

    /** Adds an action that runs when an owner or operator stores data. */
    whenStored: (action: WhenStored) => void whenStored.push(action),

    /** Where the link leads, if the id has it. */
    async follow(id: EmojiId, link: string): Promise<string> {
      const [data] = await read(id, ['SvcLinkData'])
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

    async lock(caller: Principal, id: EmojiId, key: StoreKey, body: LockBody): Promise<string> {
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
      const [entry] = await load(id, [key])
      return entry ? showEntry(entry) : '{}'
    },
  }
}
