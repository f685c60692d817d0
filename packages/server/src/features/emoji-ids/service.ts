import { ALPHABET_VERSION, displayFormat, type EmojiId, parseTonedEmojiId } from '@emojid/core'
import { afterCommit, transact } from '../../platform/database/database.ts'
import type { DatabaseMonitor } from '../../platform/database/monitor.ts'
import type { MaybeWhy } from '../../platform/http/schemas.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Keys } from '../keys/index.ts'
import type { Organizations } from '../organizations/index.ts'
import { assertCanLeave } from './leaving.ts'
import * as ids from './repository.ts'
import * as rules from './rules.ts'
import type { Grant, OwnerQuery } from './schema.ts'

export type EmojiIds = ReturnType<typeof createEmojiIds>

type Options = {
  db: Database
  monitor: DatabaseMonitor
  accounts: Accounts
  organizations: Organizations
  keys: Keys
  audit: Audit
  now: () => Date
}
type Watcher = { forget(id: EmojiId): void; clear(): void }
/** Something other features do with an id within the same transaction. */
type ForId = (trx: Transaction, id: EmojiId) => Promise<void>
type Registration = { pubkey?: string | null; bought_at?: Date; order_id?: string | null }
/** The same, before the owner changes. */
type ForOwned = (trx: Transaction, owned: rules.OwnedId) => Promise<void>
type NewOwner = { user_id: string; pubkey: string; blocked_until: Date; isCleared: boolean }
type Taker = MaybeWhy & { actor_id: string | null }
type HoldingOrder = { order_id: string; user_id: string; expires_at: Date }
type Bought = { emoji_id: string; display_format: string }

/** All that says who has an id. */
export function createEmojiIds(options: Options) {
  const { db, monitor, accounts, organizations, keys, audit, now } = options
  const watchers: Watcher[] = []
  const whenFreed: ForId[] = []
  const whenEmptied: ForId[] = []
  const beforeGivenBack: ForOwned[] = []
  const beforeHandedOn: ForOwned[] = []
  const changed = (id: EmojiId) => {
    for (const watcher of watchers) watcher.forget(id)
  }
  const everythingChanged = () => {
    for (const watcher of watchers) watcher.clear()
  }
  // The tables themselves tell (migration 0002): no statement can forget to.
  monitor.listen(
    'emoji_id_changed',
    (payload) => (payload === '*' ? everythingChanged() : changed(payload as EmojiId)),
    everythingChanged,
  )
  /** Other processes hear of a change within moments; this one forgets before the writer is told. */
  const forgetAfterCommit = (trx: Transaction, id: EmojiId): void =>
    afterCommit(trx, () => changed(id))

  accounts.beforeDeletion(async (trx, user_id) => {
    const owned = await ids.findOf(trx, { user_id })
    if (owned.length > 0) throw new rules.StillOwnsError(owned.length)
  })

  const register = async (trx: Transaction, text: string, registration: Registration = {}) => {
    const { pubkey = null, bought_at = null, order_id = null } = registration
    const { id, tones } = parseTonedEmojiId(text)
    const registered = await ids.insert(trx, {
      emoji_id: id,
      display_format: displayFormat(id, tones),
      blocked_until: null,
      generation: ALPHABET_VERSION,
      token_id: null,
      pubkey,
      bought_at,
      order_id,
    })
    if (registered) forgetAfterCommit(trx, id)
    return registered
  }
  const loadToChange = async (trx: Transaction, id: EmojiId) => {
    const owned = await ids.findToChange(trx, id)
    if (!owned) throw new rules.UnregisteredError(id)
    return owned
  }
  /** The key that a new owner's id is bound to. */
  const keyOf = async (trx: Transaction, { user_id, organization_id, pubkey: text }: Grant) => {
    if ([user_id, organization_id, text].filter(Boolean).length !== 1) throw new rules.OwnerError()
    if (organization_id) {
      await organizations.load(trx, organization_id)
      return keys.ofOrganization(trx, organization_id)
    }
    if (user_id) {
      rules.assertActive(await accounts.loadToChange(trx, user_id))
      const [first] = (await keys.pubkeysOf(trx, [user_id])).get(user_id) ?? []
      return assertUseful(trx, first ?? '')
    }
    const pubkey = await assertUseful(trx, text?.toLowerCase() ?? '')
    const holder = (await keys.find(trx, pubkey))?.user_id
    if (holder) rules.assertActive(await accounts.findToChange(trx, holder))
    return pubkey
  }
  const assertUseful = async (trx: Transaction, pubkey: string): Promise<string> => {
    const key = await keys.find(trx, pubkey)
    if (!key?.sealed_private_key && !key?.proven_at) throw new rules.UselessKeyError()
    return pubkey
  }
  const freed: ForId = async (trx, id) => {
    for (const action of whenFreed) await action(trx, id)
  }
  const emptied: ForId = async (trx, id) => {
    for (const action of whenEmptied) await action(trx, id)
  }
  /** Everything behind it is gone at once. */
  const takeAway = async (trx: Transaction, owned: rules.OwnedId, { actor_id, reason }: Taker) => {
    const id = owned.emoji_id as EmojiId
    assertCanLeave(owned, now(), 'emoji_id')
    await emptied(trx, id)
    await ids.remove(trx, id)
    forgetAfterCommit(trx, id)
    const details = { emoji_id: id, pubkey: owned.pubkey, reason }
    await audit.note(trx, 'emoji_id.released', { actor_id, subject_id: owned.user_id, details })
  }
  const release = async (trx: Transaction, owned: rules.OwnedId, by: Taker) => {
    rules.assertNotMinted(owned)
    await takeAway(trx, owned, by)
    await freed(trx, owned.emoji_id as EmojiId)
  }

  return {
    forgetAfterCommit,
    loadToChange,
    findToChange: (trx: Transaction, id: EmojiId) => ids.findToChange(trx, id),
    /** Registers an id as it was typed, with its tones; tells `false` when it is taken. */
    register,
    /** Whoever keeps copies of what belongs to ids is told when they are old. */
    watch: (watcher: Watcher) => void watchers.push(watcher),
    /** What happens when an id that somebody had or held becomes free. */
    whenFreed: (action: ForId) => void whenFreed.push(action),
    /** What happens when nothing behind an id may stay: it is given back, or handed on empty. */
    whenEmptied: (action: ForId) => void whenEmptied.push(action),
    /** What may stop an owner from giving an id back. */
    beforeGivenBack: (action: ForOwned) => void beforeGivenBack.push(action),
    /** Runs when an id changes owner, with or without its records. */
    beforeHandedOn: (action: ForOwned) => void beforeHandedOn.push(action),
    /** For whoever frees an id in another way than by releasing it. */
    freed,
    find: (id: EmojiId) => ids.find(db, id),
    setDisplay: (trx: Transaction, id: EmojiId, text: string) =>
      ids.setDisplay(trx, id, text, now()),

    /** The id, locked, if the caller may write to it. */
    async loadToWrite(trx: Transaction, caller: Principal, id: EmojiId) {
      const owned = await loadToChange(trx, id)
      rules.assertMayWrite(caller, owned)
      return owned
    },

    /** Who may act for an id: its owner, or the power roles of its organization. */
    async peopleBehind(trx: Database | Transaction, { user_id, organization_id }: rules.OwnedId) {
      if (organization_id) return organizations.powerMembers(trx, organization_id)
      return user_id ? [user_id] : []
    },

    /** Own ids, or somebody else's for those who may see them. */
    async list(caller: Principal, query: OwnerQuery) {
      rules.assertMayList(caller, query)
      const { user_id = caller.user_id, organization_id } = query
      const owned = await ids.findOf(db, organization_id ? { organization_id } : { user_id })
      return rules.visibleTo(caller, owned)
    },

    /** The display formats of many users' ids. */
    async displayedOf(user_ids: readonly string[]): Promise<Map<string, string[]>> {
      const rows = user_ids.length === 0 ? [] : await ids.findOfUsers(db, user_ids)
      return rules.displayedBy(user_ids, rows)
    },

    /** Who has each of these ids, or is about to; one's own holds do not count. */
    async standings(wanted: readonly EmojiId[], user_id?: string, from: Database = db) {
      if (wanted.length === 0) return rules.standingsOf([])
      return rules.standingsOf(await ids.findStandings(from, wanted, user_id, now()))
    },

    /** Those of these ids that somebody has. */
    async ownersOf(from: Database | Transaction, wanted: readonly EmojiId[]) {
      const owned = wanted.length === 0 ? [] : await ids.findOwners(from, wanted)
      return new Map(owned.map((row) => [row.emoji_id as EmojiId, row]))
    },

    /**
     * Keeps ids for an order, all or none; answers which of them somebody has or keeps. Always in
     * the same order, so that two who want the same ids wait for each other only once.
     */
    async hold(trx: Transaction, order: HoldingOrder, wanted: readonly EmojiId[]) {
      const { order_id, user_id, expires_at } = order
      const at = now()
      const findGone = async () =>
        [...(await ids.findTaken(trx, wanted)), ...(await ids.findReserved(trx, wanted, at))].map(
          ({ emoji_id }) => emoji_id as EmojiId,
        )
      // Most who come too late are told so without waiting for anybody.
      const gone = await findGone()
      if (gone.length > 0) return { taken: gone, held: [] }
      const held: EmojiId[] = []
      for (const emoji_id of wanted.toSorted()) {
        const hold = { emoji_id, user_id, order_id, expires_at }
        if (!(await ids.hold(trx, hold, at))) held.push(emoji_id)
      }
      const taken = await findGone()
      if (held.length + taken.length > 0) await ids.removeHolds(trx, order_id)
      return { taken, held }
    },

    extendHolds: ids.setHolds,
    box: ids.box,
    unbox: ids.unbox,
    lockMany: ids.findManyToChange,
    giveMany: ids.giveMany,

    /** Gives up what is kept for an order. */
    async unhold(trx: Transaction, order_id: string): Promise<void> {
      for (const { emoji_id } of await ids.removeHolds(trx, order_id)) {
        await freed(trx, emoji_id as EmojiId)
      }
    },

    /** Gives the ids kept for an order to a key; tells `false` when one of them is not to be had. */
    async grantHeld(trx: Transaction, order_id: string, bought: readonly Bought[], pubkey: string) {
      const kept = new Set((await ids.removeHolds(trx, order_id)).map(({ emoji_id }) => emoji_id))
      for (const { emoji_id, display_format } of bought) {
        if (!kept.has(emoji_id)) return false
        if (!(await register(trx, display_format, { pubkey, bought_at: now(), order_id })))
          return false
      }
      return true
    },

    /** Throws unless what a buyer buys can be bound to this key. */
    async assertKeyOfBuyer(trx: Transaction, user_id: string, pubkey: string): Promise<void> {
      const own = (await keys.pubkeysOf(trx, [user_id])).get(user_id) ?? []
      if (!own.includes(pubkey)) throw new rules.ForeignKeyError()
      await assertUseful(trx, pubkey)
    },

    /** The key to bind what somebody buys to: the one they named, or their first. */
    async keyForBuyer(trx: Transaction, user_id: string, named: string | null): Promise<string> {
      const own = (await keys.pubkeysOf(trx, [user_id])).get(user_id) ?? []
      return own.find((pubkey) => pubkey === named) ?? assertUseful(trx, own[0] ?? '')
    },

    /** Gives an id to a key of somebody else, and answers it as theirs. */
    async handOn(trx: Transaction, owned: rules.OwnedId, to: NewOwner): Promise<rules.OwnedId> {
      const { user_id, pubkey, blocked_until, isCleared } = to
      const id = owned.emoji_id as EmojiId
      assertCanLeave(owned, now(), 'eid')
      for (const action of beforeHandedOn) await action(trx, owned)
      if (isCleared) await emptied(trx, id)
      const display_format = isCleared ? displayFormat(id) : owned.display_format
      const bound = { pubkey, blocked_until, display_format }
      const isMoved = await ids.move(trx, id, { from: owned.pubkey, ...bound }, now())
      if (!isMoved) throw new Error('An id moved although it was locked')
      forgetAfterCommit(trx, id)
      return { ...owned, ...bound, user_id, organization_id: null }
    },

    setToken: ids.setToken,
    /** Locks all ids of an order that still have an owner. */
    lockOfOrder: ids.findOfOrderToChange,
    findOfOrder: (order_id: string) => ids.findOfOrder(db, order_id),
    /** Locked ids stay where they are from then on, or may move again. */
    setFrozen: ids.setFrozen,
    findByToken: (token_id: number) => ids.findByToken(db, token_id),

    /** Takes an id back whose price is paid back; nobody buys it for a while. */
    async revoke(trx: Transaction, actor_id: string | null, owned: rules.OwnedId, until: Date) {
      await takeAway(trx, owned, { actor_id })
      await ids.cool(trx, owned.emoji_id, until)
    },

    async sweep(): Promise<void> {
      const at = now()
      await transact(db, async (trx) => {
        const ended = await ids.sweep(trx, at, rules.holdsKeptSince(at))
        for (const id of ended) await freed(trx, id as EmojiId)
      })
    },

    newest: async (limit: number) =>
      (await ids.findNewest(db, limit)).map(({ emoji_id }) => emoji_id as EmojiId),

    async grant(caller: Principal, body: Grant) {
      const id = rules.readEmojiId(body.emoji_id)
      return transact(db, async (trx) => {
        const pubkey = await keyOf(trx, body)
        if (!(await ids.holdBriefly(trx, id, caller.user_id, now()))) throw new rules.HeldError(id)
        if (await ids.isBoxed(trx, id)) throw new rules.TakenError(id)
        if (!(await register(trx, body.emoji_id, { pubkey }))) throw new rules.TakenError(id)
        await ids.removeHolds(trx, caller.user_id)
        const owned = await loadToChange(trx, id)
        const details = { emoji_id: id, pubkey, reason: body.reason }
        const noted = { actor_id: caller.user_id, subject_id: owned.user_id, details }
        await audit.note(trx, 'emoji_id.granted', noted)
        return rules.listItem(owned)
      })
    },

    /** The owner gives an id back; everything behind it is gone at once. */
    async releaseOwn(caller: Principal, id: EmojiId): Promise<void> {
      await transact(db, async (trx) => {
        const owned = await loadToChange(trx, id)
        if (owned.user_id !== caller.user_id) throw new rules.NotYoursError()
        rules.assertMayWrite(caller, owned)
        rules.assertNotBlocked(owned, now(), 'emoji_id')
        for (const action of beforeGivenBack) await action(trx, owned)
        await release(trx, owned, { actor_id: caller.user_id })
      })
    },

    releaseAny: ({ user_id: actor_id }: Principal, id: EmojiId, why: MaybeWhy): Promise<void> =>
      transact(db, async (trx) => release(trx, await loadToChange(trx, id), { ...why, actor_id })),
  }
}
