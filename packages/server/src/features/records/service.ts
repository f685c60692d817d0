import { type EmojiId, merkleRoot } from '@emojid/core'
import { createLoadingCache, Unanswered } from '../../platform/cache/loading-cache.ts'
import type { DatabaseMonitor } from '../../platform/database/monitor.ts'
import type { KeyedReader } from '../../platform/database/replica/keyed-reader.ts'
import { toPage } from '../../platform/http/paging.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import {
  assertMayWrite,
  type EmojiIds,
  type OwnedId,
  UnregisteredError,
} from '../emoji-ids/index.ts'
import type { Keys } from '../keys/index.ts'
import { countedWindow, dayOf, lookupMetric, type Stats } from '../stats/index.ts'
import { type BatchResult, createBatches } from './batches.ts'
import {
  findChanges,
  findHistory,
  findRecordSet,
  findRecordSets,
  findRecordSetsOf,
  findSignedSet,
  findStates,
  findUndone,
  forgetStatesBefore,
  insertRecordSets,
  saveRecordSet,
} from './repository.ts'
import {
  type Answer,
  answerFor,
  apart,
  type Entry,
  type Found,
  type KeptRecord,
  memorySource,
  proofOf,
  recordsOf,
  showChange,
  signedMessage,
  signingDomain,
  sourceOf,
  UnsettledError,
  type View,
  withLinks,
} from './rules.ts'
import type { Batch, ChangeQuery, Record as StoredRecord } from './schema.ts'

export type Records = ReturnType<typeof createRecords>

type Options = {
  db: Database
  /** Reads what lookups show. */
  reader: KeyedReader
  keys: Keys
  monitor: DatabaseMonitor
  emojiIds: EmojiIds
  stats: Stats
  now: () => Date
  /** How many ids this process remembers; 0 remembers none. */
  remembered: number
}

export function createRecords(options: Options) {
  const { db, reader, monitor, emojiIds, keys, stats, now, remembered } = options
  const findSets = findRecordSets(reader)
  const latestWindow = () => countedWindow(new Date(now().getTime() - closingMs))
  let window = latestWindow()

  const cache = createLoadingCache<Entry>({
    capacity: remembered,
    isCurrent: () => monitor.isCurrent() && !dayChanged(),
    missing: (id) => newEntry(id, { ...nothing, registered: false }),
    async load(ids) {
      const days = [dayOf(window.start), dayOf(window.finish)]
      const { rows, unanswered } = await findSets(ids, days)
      const found = new Map<string, Entry | Unanswered>(
        rows.map(({ emoji_id, ...row }) => [
          emoji_id,
          newEntry(emoji_id, { registered: true, ...row }),
        ]),
      )
      for (const id of unanswered?.keys ?? []) found.set(id, new Unanswered(unanswered?.error))
      return found
    },
  })
  emojiIds.watch(reader)
  emojiIds.watch(cache)

  /** Views are those of closed days: with a new day every answer is made anew. */
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
    found: Pick<Entry, 'registered' | 'records' | 'views' | 'changes_at' | 'read_at'>,
  ): Entry => ({
    id: id as EmojiId,
    window,
    answers: new Map(),
    ...found,
  })

  const isDue = ({ changes_at }: Entry) => changes_at !== null && changes_at <= now().getTime()
  /** What is remembered, until the moment at which a waiting change takes effect. */
  const peek = (id: EmojiId): Entry | undefined => {
    const entry = cache.peek(id)
    return entry && !isDue(entry) ? entry : undefined
  }
  let carryOut = async (_id: EmojiId): Promise<void> => {}
  const settling = new Map<EmojiId, Promise<void>>()
  /** Of many who ask in this moment, one has the change carried out. */
  const settle = (id: EmojiId): Promise<void> => {
    const under = settling.get(id)
    if (under) return under
    const work = carryOut(id).finally(() => settling.delete(id))
    settling.set(id, work)
    return work
  }
  const load = async (id: EmojiId): Promise<Entry> => {
    for (let tries = 0; tries < triesAtMost; tries++) {
      const entry = await cache.get(id)
      if (!isDue(entry)) return entry
      await settle(id)
      // Perhaps another process did, and its notice is still under way.
      reader.forget(id)
      cache.forget(id)
    }
    throw new UnsettledError()
  }

  const seek = async (id: EmojiId): Promise<Found> => {
    const kept = peek(id)
    const entry = kept ?? (await load(id))
    if (!entry.registered) throw new UnregisteredError(id)
    return { entry, was_kept: kept !== undefined }
  }
  const find = async (id: EmojiId): Promise<Entry> => (await seek(id)).entry
  const lookUp = async (id: EmojiId): Promise<Found> => {
    const found = await seek(id)
    stats.count(id)
    return found
  }
  const batches = createBatches({ seek, count: stats.count })
  const told = (found: readonly Found[]) =>
    reader.hasReplica ? sourceOf(found, reader.ageMs) : undefined

  return {
    /** What answers from memory say about where they come from, if answers say that at all. */
    memorySource: reader.hasReplica ? memorySource : undefined,

    async answer(id: EmojiId, view: View): Promise<Sourced<Answer>> {
      const found = await lookUp(id)
      return { answer: answerFor(found.entry, view), source: told([found]) }
    },

    /** The whole of an id from memory, if what is remembered may be trusted right now. */
    peek(id: EmojiId): Answer | undefined {
      const entry = peek(id)
      if (!entry?.registered) return undefined
      stats.count(id)
      entry.whole ??= answerFor(entry, { form: 'lookup' })
      return entry.whole
    },

    /** Applies due changes before an id is answered. */
    whenDue: (action: (id: EmojiId) => Promise<void>): void => {
      carryOut = action
    },

    /** When the payment addresses of an id change, if they wait for that. */
    async changesAt(id: EmojiId): Promise<Date | undefined> {
      const { changes_at } = await find(id)
      return changes_at === null ? undefined : new Date(changes_at)
    },

    records: async (id: EmojiId) => recordsOf((await lookUp(id)).entry),

    assertBatchAllowed: batches.assertAllowed,

    async batch(asked: Batch, network: string): Promise<Sourced<BatchResult>> {
      const answer = await batches.lookUp(asked, network)
      return { answer, source: told(answer.found) }
    },

    /** How often an id was looked up, for those who ask by name. */
    async stats(id: EmojiId) {
      const { views, window: counted } = await find(id)
      return { emoji_id: id, metrics: [lookupMetric(id, views, counted)] }
    },

    /** The records as they are now, and their signature; for whoever is about to change them. */
    async current(trx: Transaction, id: EmojiId) {
      const set = await findRecordSet(trx, id)
      const records = set ? withLinks(set.records as StoredRecord[], set.linked) : []
      return { records, signature: set?.signature ?? null }
    },

    /** The records of many ids at once; ids without any are not in it. */
    async currentOf(trx: Transaction, ids: readonly EmojiId[]): Promise<Map<string, KeptRecord[]>> {
      const sets = await findRecordSetsOf(trx, ids)
      return new Map(
        sets.map((set) => [set.emoji_id, withLinks(set.records as StoredRecord[], set.linked)]),
      )
    },

    /** Puts records in place of all that an id has, signed if its key is kept here. */
    async save(trx: Transaction, owned: OwnedId, saved: SavedRecords): Promise<number> {
      const id = owned.emoji_id as EmojiId
      const { pubkey } = owned
      const merkle_root = merkleRoot(saved.records.map(({ hash }) => hash))
      const message = signedMessage(id, merkle_root)
      const made =
        saved.signature ??
        (pubkey ? await keys.sign(trx, pubkey, signingDomain, message) : undefined)
      const set = {
        emoji_id: id,
        ...apart(saved.records),
        merkle_root,
        signer: made ? pubkey : null,
        nonce: made?.nonce ?? null,
        signature: made?.signature ?? null,
      }
      const { actor_id, undoes = null } = saved
      const version = await saveRecordSet(trx, set, { changed_at: now(), actor_id, undoes })
      emojiIds.forgetAfterCommit(trx, id)
      return version
    },

    /** The first records of ids that were just given to keys; answers their versions. */
    async saveFirst(trx: Transaction, firsts: readonly FirstRecords[], actor_id: string) {
      const sets = firsts.map(({ id, pubkey, records }) => {
        const merkle_root = merkleRoot(records.map(({ hash }) => hash))
        const set = { emoji_id: id, ...apart(records), merkle_root }
        return { set, pubkey, message: signedMessage(id, merkle_root) }
      })
      const signatures = await keys.signMany(trx, signingDomain, sets)
      const signed = sets.map(({ set, pubkey }, place) => {
        const made = signatures[place]
        const by = { signer: made ? pubkey : null, nonce: made?.nonce ?? null }
        return { ...set, ...by, signature: made?.signature ?? null }
      })
      const saved = await insertRecordSets(trx, signed, { changed_at: now(), actor_id })
      return new Map(saved.map(({ emoji_id, version }) => [emoji_id, version]))
    },

    /** All records or none, as a new owner finds them: signed anew, with nothing before it to undo. */
    async handOn(trx: Transaction, owned: OwnedId, actor_id: string, isCleared: boolean) {
      const id = owned.emoji_id as EmojiId
      const records = isCleared ? [] : (await this.current(trx, id)).records
      const version = await this.save(trx, owned, { records, actor_id })
      await forgetStatesBefore(trx, id, version)
    },

    /** Read after the entry: what is kept with it is never older than the entry is. */
    async proof(id: EmojiId): Promise<Answer> {
      const entry = await find(id)
      if (entry.proof) return entry.proof
      const set = await findSignedSet(db, id)
      if (!set) throw new UnregisteredError(id)
      entry.proof = proofOf(id, set)
      return entry.proof
    },

    /** When the records changed; not what they were. */
    async history(id: EmojiId) {
      if (!(await emojiIds.find(id))) throw new UnregisteredError(id)
      return findHistory(db, id, historyShown)
    },

    /** What changed, for those behind the id alone. */
    async changes(caller: Principal, id: EmojiId, query: ChangeQuery) {
      const owned = await emojiIds.find(id)
      if (!owned) throw new UnregisteredError(id)
      assertMayWrite(caller, owned)
      const people = await emojiIds.peopleBehind(db, owned)
      const { changes, total } = await findChanges(db, id, query)
      const shown = changes.map((change) => showChange(change, caller.user_id, people))
      return toPage(shown, total, query)
    },

    /** The records before and after one change; nothing when it is not remembered. */
    async change(trx: Transaction, id: EmojiId, version: number) {
      const [after, before] = (await findStates(trx, id, version)).map((state) => ({
        version: state.version,
        records: withLinks(state.records as StoredRecord[], state.linked),
      }))
      if (after?.version !== version) return undefined
      return { before: before?.records ?? [], after: after.records }
    },

    /** Which changes up to this one were undone after it. */
    undone: async (trx: Transaction, id: EmojiId, version: number) =>
      (await findUndone(trx, id, version)).flatMap(({ undoes }) => undoes ?? []),
  }
}

/** With what whoever asks is told about where it was read; nothing where there is no replica. */
type Sourced<Value> = { answer: Value; source: string | undefined }

type SavedRecords = {
  records: readonly KeptRecord[]
  actor_id: string | null
  /** The version whose addresses are put back with this. */
  undoes?: number
  /** Made by the owner; otherwise the service signs if it can. */
  signature?: { nonce: string; signature: string }
}

type FirstRecords = { id: EmojiId; pubkey: string; records: readonly KeptRecord[] }

const nothing = { records: '[]', views: 0, changes_at: null }
const triesAtMost = 5
const historyShown = 100
const dayMs = 24 * 60 * 60 * 1_000
/** By then every process has written down what it counted on the day before. */
const closingMs = 30_000
