import { ALPHABET_VERSION, displayFormat, type EmojiId, parseTonedEmojiId } from '@emojid/core'
import { afterCommit, transact } from '../../platform/database/database.ts'
import type { DatabaseMonitor } from '../../platform/database/monitor.ts'
import type { Database, Transaction } from '../../tables.ts'
import {
  assertInOrganization,
  assertScope,
  isAdmin,
  MissingScopeError,
  type Principal,
} from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Keys } from '../keys/index.ts'
import type { Organizations } from '../organizations/index.ts'
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
type Registration = { pubkey?: string | null; token_id?: number | null }

/** All that says who has an id. */
export function createEmojiIds(options: Options) {
  const { db, monitor, accounts, organizations, keys, audit, now } = options
  const watchers: Watcher[] = []
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
    const { pubkey = null, token_id = null } = registration
    const { id, tones } = parseTonedEmojiId(text)
    const registered = await ids.insert(trx, {
      ...{ emoji_id: id, display_format: displayFormat(id, tones), blocked_until: null },
      ...{ generation: ALPHABET_VERSION, token_id, pubkey },
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
      await accounts.loadToChange(trx, user_id)
      const [first] = (await keys.pubkeysOf(trx, [user_id])).get(user_id) ?? []
      return assertUseful(trx, first ?? '')
    }
    return assertUseful(trx, text?.toLowerCase() ?? '')
  }
  const assertUseful = async (trx: Transaction, pubkey: string): Promise<string> => {
    const key = await keys.find(trx, pubkey)
    if (!key?.sealed_private_key && !key?.proven_at) throw new rules.UselessKeyError()
    return pubkey
  }
  const release = async (trx: Transaction, caller: Principal, owned: rules.OwnedId) => {
    const id = owned.emoji_id as EmojiId
    await ids.remove(trx, id)
    forgetAfterCommit(trx, id)
    const { user_id: subject_id, pubkey } = owned
    const details = { emoji_id: id, pubkey }
    await audit.note(trx, 'emoji_id.released', { actor_id: caller.user_id, subject_id, details })
  }

  return {
    forgetAfterCommit,
    loadToChange,
    /** Registers an id as it was typed, with its tones; tells `false` when it is taken. */
    register,
    /** Whoever keeps copies of what belongs to ids is told when they are old. */
    watch: (watcher: Watcher) => void watchers.push(watcher),
    find: (id: EmojiId) => ids.find(db, id),
    setDisplay: (trx: Transaction, id: EmojiId, text: string) =>
      ids.setDisplay(trx, id, text, now()),

    /** The id, locked, if the caller may write to it. */
    async loadToWrite(trx: Transaction, caller: Principal, id: EmojiId) {
      const owned = await loadToChange(trx, id)
      if (!rules.mayWrite(caller, owned)) throw new rules.NotYoursError()
      return owned
    },

    /** Own ids, or somebody else's for those who may see them. */
    async list(caller: Principal, { user_id, organization_id }: OwnerQuery) {
      if (organization_id) {
        assertInOrganization(caller, organization_id, 'organizationEmoji:list')
        return ids.findOf(db, { organization_id })
      }
      if (user_id && user_id !== caller.user_id) {
        if (!isAdmin(caller)) throw new MissingScopeError(['adminEmoji:load'])
        assertScope(caller, 'adminEmoji:load')
      }
      return ids.findOf(db, { user_id: user_id ?? caller.user_id })
    },

    /** The display formats of many users' ids. */
    async displayedOf(user_ids: readonly string[]): Promise<Map<string, string[]>> {
      const found = new Map(user_ids.map((id) => [id, [] as string[]]))
      if (user_ids.length === 0) return found
      for (const { display_format, user_id } of await ids.findOfUsers(db, user_ids)) {
        found.get(user_id ?? '')?.push(display_format)
      }
      return found
    },

    /** Who has each of these ids, or is about to; one's own holds do not count. */
    async standings(wanted: readonly EmojiId[], user_id: string | undefined) {
      const standings = new Map<EmojiId, rules.Standing>()
      if (wanted.length === 0) return standings
      const [taken, held] = await Promise.all([
        ids.findTaken(db, wanted),
        ids.findHeld(db, wanted, user_id, now()),
      ])
      for (const { emoji_id } of held) standings.set(emoji_id as EmojiId, { isHeld: true })
      for (const owned of taken) standings.set(owned.emoji_id as EmojiId, { owned, isHeld: false })
      return standings
    },

    newest: async (limit: number) =>
      (await ids.findNewest(db, limit)).map(({ emoji_id }) => emoji_id as EmojiId),

    async grant(caller: Principal, body: Grant) {
      const id = rules.readEmojiId(body.emoji_id)
      return transact(db, async (trx) => {
        const pubkey = await keyOf(trx, body)
        if (!(await register(trx, body.emoji_id, { pubkey }))) throw new rules.TakenError(id)
        const owned = await loadToChange(trx, id)
        const noted = { actor_id: caller.user_id, subject_id: owned.user_id }
        await audit.note(trx, 'emoji_id.granted', { ...noted, details: { emoji_id: id, pubkey } })
        return rules.listItem(owned)
      })
    },

    /** The owner gives an id back; everything behind it is gone at once. */
    async releaseOwn(caller: Principal, id: EmojiId): Promise<void> {
      await transact(db, async (trx) => {
        const owned = await loadToChange(trx, id)
        const isOwner = owned.user_id === caller.user_id
        if (!isOwner || !rules.mayWrite(caller, owned)) throw new rules.NotYoursError()
        await release(trx, caller, owned)
      })
    },

    async releaseAny(caller: Principal, id: EmojiId): Promise<void> {
      await transact(db, async (trx) => release(trx, caller, await loadToChange(trx, id)))
    },
  }
}
