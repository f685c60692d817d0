import { ALPHABET_VERSION, type EmojiId } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { MaybeWhy } from '../../platform/http/schemas.ts'
import type { Database, Transaction } from '../../tables.ts'
import { assertFresh, assertScope, type Principal } from '../access/index.ts'
import { UnknownUserError } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Edits } from '../edits/index.ts'
import {
  assertActive,
  assertMayWrite,
  type EmojiIds,
  HeldError,
  NotYoursError,
  type OwnedId,
  readEmojiId,
  TakenError,
  UnregisteredError,
  UselessKeyError,
} from '../emoji-ids/index.ts'
import type { Keys } from '../keys/index.ts'
import type { Organizations } from '../organizations/index.ts'
import type { KeptRecord, Records } from '../records/index.ts'
import { findKeys, findPart, type KeyRow, lockUsers, type UserRow } from './repository.ts'
import * as rules from './rules.ts'
import type { ExportQuery, Import, ImportResult } from './schema.ts'

export type BulkIds = ReturnType<typeof createBulkIds>

type Options = {
  db: Database
  audit: Audit
  edits: Edits
  emojiIds: EmojiIds
  keys: Keys
  organizations: Organizations
  records: Records
  now: () => Date
}
type Holders = ReadonlyMap<string, rules.Holder | ServiceError>
type Existing = {
  owned: OwnedId
  row: rules.ReadRow
  holders: Holders
  before: readonly KeptRecord[]
  why: MaybeWhy
}
type Placed = { place: number; row: rules.ReadRow }
type Given = Placed & { holder: rules.Holder }

/** As on every page of a list. */
const largestPart = 200

/** Many ids at once, for operators who bring a directory along or take one away. */
export function createBulkIds(options: Options) {
  const { db, audit, edits, emojiIds, keys, organizations, records, now } = options

  const holderOfOrganization = async (trx: Transaction, organization_id: string) => {
    await organizations.load(trx, organization_id)
    const pubkey = await keys.ofOrganization(trx, organization_id)
    return { pubkey, user_id: null, organization_id }
  }

  /** The key of each owner, or why they get no id. */
  const findHolders = async (trx: Transaction, owners: readonly rules.Owner[]) => {
    const named = (wanted: rules.OwnerKind) => [
      ...new Set(owners.flatMap(({ kind, name }) => (kind === wanted ? [name] : []))),
    ]
    const users = await lockUsers(trx, named('user_id'), named('email'))
    const byId = new Map(users.map((user) => [user.id, user]))
    const byEmail = new Map(users.map((user) => [user.email, user]))
    const byPubkey = new Map(
      (await findKeys(trx, named('pubkey'))).map((key) => [key.pubkey, key] as const),
    )
    const holders = new Map<string, rules.Holder | ServiceError>()
    for (const owner of owners) {
      const { kind, name } = owner
      if (holders.has(rules.nameOf(owner))) continue
      const find = async () => {
        if (kind === 'organization_id') return holderOfOrganization(trx, name)
        if (kind === 'pubkey') return holderOfKey(byPubkey.get(name))
        return kind === 'email' ? holderByEmail(byEmail.get(name)) : holderOfUser(byId.get(name))
      }
      holders.set(rules.nameOf(owner), await orRefusal(find))
    }
    return holders
  }

  /** An id that somebody has: it stays theirs, and its records are compared. */
  const change = async (
    trx: Transaction,
    caller: Principal,
    { owned, row, holders, before, why }: Existing,
  ): Promise<rules.Outcome> => {
    if (row.owner) rules.assertTheirs(owned, row.owner, holderIn(holders, row.owner))
    // The owner may have changed since the id was read.
    if (!caller.scopes.has('adminEmoji:register')) assertMayWrite(caller, owned)
    if (!row.records) return 'unchanged'
    const difference = { before, wanted: row.records, ...why }
    const { isChanged, changes_at } = await edits.replaceAll(trx, caller, owned, difference)
    return isChanged || changes_at ? 'changed' : 'unchanged'
  }

  /** Ids that nobody has: given all at once, signed and noted as single ones are. Of others it tells nothing. */
  const grant = async (
    trx: Transaction,
    { user_id }: Principal,
    wanted: readonly Given[],
    why: MaybeWhy,
  ) => {
    const rows = wanted.map(({ row: { id, display_format }, holder: { pubkey } }) => ({
      emoji_id: id,
      display_format,
      generation: ALPHABET_VERSION,
      pubkey,
    }))
    const { given, buying } = await emojiIds.giveMany(trx, rows, user_id, now())
    const granted = wanted.filter(({ row }) => given.has(row.id))
    const firsts = granted.flatMap(({ row: { id, records: wished }, holder: { pubkey } }) =>
      wished && wished.length > 0 ? [{ id, pubkey, records: wished }] : [],
    )
    const versions = await records.saveFirst(trx, firsts, user_id)
    const noted = granted.map(({ row: { id: emoji_id, records: wished }, holder }) => ({
      subject_id: holder.user_id,
      version: versions.get(emoji_id),
      emoji_id,
      pubkey: holder.pubkey,
      inserted: wished ?? [],
    }))
    await audit.noteMany(
      ...([trx, 'emoji_id.granted', user_id] as const),
      noted.map(({ subject_id, emoji_id, pubkey }) => ({
        subject_id,
        details: { emoji_id, pubkey, imported: true, ...why },
      })),
    )
    await audit.noteMany(
      ...([trx, 'records.changed', user_id] as const),
      noted.flatMap(({ subject_id, emoji_id, version, inserted }) =>
        version === undefined
          ? []
          : [{ subject_id, details: { emoji_id, version, inserted, removed: [], ...why } }],
      ),
    )
    for (const { row } of granted) emojiIds.forgetAfterCommit(trx, row.id)
    return ({ id }: rules.ReadRow): rules.Outcome | undefined => {
      if (given.has(id)) return 'granted'
      return buying.has(id) ? new HeldError(id) : undefined
    }
  }

  /** Locks those of these ids that somebody has, with their records. */
  const lockOwned = async (trx: Transaction, placed: readonly Placed[]) => {
    const locked = await emojiIds.lockMany(
      trx,
      placed.map(({ row }) => row.id),
    )
    const current = await records.currentOf(
      trx,
      locked.map(({ emoji_id }) => emoji_id as EmojiId),
    )
    return new Map(
      locked.map((owned) => [owned.emoji_id, { owned, before: current.get(owned.emoji_id) ?? [] }]),
    )
  }

  /** Members write to what their organizations have, and learn nothing of anything else. */
  const onlyOfOrganizations = async (
    trx: Transaction,
    caller: Principal,
    rows: readonly (rules.ReadRow | ServiceError)[],
  ) => {
    const ids = rows.flatMap((row) => (row instanceof ServiceError ? [] : row.id))
    const owners = await emojiIds.ownersOf(trx, ids)
    return rows.map((row) => {
      if (row instanceof ServiceError) return row
      const { organization_id = null } = owners.get(row.id) ?? {}
      return rules.isOfMember(caller, row, organization_id) ? row : new NotYoursError()
    })
  }

  const carryOut = async (
    trx: Transaction,
    caller: Principal,
    rows: readonly (rules.ReadRow | ServiceError)[],
    why: MaybeWhy,
  ): Promise<(rules.Outcome | undefined)[]> => {
    const outcomes: (rules.Outcome | undefined)[] = rows.map((row) =>
      row instanceof ServiceError ? row : undefined,
    )
    const placed = rows.flatMap((row, place) => (row instanceof ServiceError ? [] : { place, row }))
    const owned = await lockOwned(trx, placed)
    const holders = await findHolders(
      trx,
      placed.flatMap(({ row }) => row.owner ?? []),
    )
    const wanted: Given[] = []
    for (const { place, row } of placed) {
      const there = owned.get(row.id)
      outcomes[place] = await orRefusal(async () => {
        if (there) return change(trx, caller, { ...there, row, holders, why })
        if (!row.owner) throw new UnregisteredError(row.id)
        wanted.push({ place, row, holder: holderIn(holders, row.owner) })
        return undefined
      })
    }
    const outcomeOf = await grant(trx, caller, wanted, why)
    for (const { place, row } of wanted) outcomes[place] = outcomeOf(row)
    // Somebody was quicker, perhaps an import that was broken off and sent again: by now they have it.
    const late = wanted.filter(({ place }) => outcomes[place] === undefined)
    const meanwhile = await lockOwned(trx, late)
    for (const { place, row } of late) {
      const there = meanwhile.get(row.id)
      outcomes[place] = await orRefusal(async () => {
        if (!there) throw new TakenError(row.id)
        return change(trx, caller, { ...there, row, holders, why })
      })
    }
    return outcomes
  }

  return {
    /** Answers what became of each row; of what was only tried, nothing stays. */
    async take(caller: Principal, { rows, dry_run, reason }: Import): Promise<ImportResult[]> {
      const isOperator = caller.scopes.has('adminEmoji:register')
      if (isOperator) {
        assertFresh(caller, true)
        if (rows.some(({ records: wished }) => wished)) assertScope(caller, 'adminEmoji:write')
      } else rules.assertWritesSomewhere(caller)
      const read = rules.readRows(rows, edits.readWhole)
      const outcomes = await transact(db, async (trx) => {
        const allowed = isOperator ? read : await onlyOfOrganizations(trx, caller, read)
        const done = await carryOut(trx, caller, allowed, reason ? { reason } : {})
        if (dry_run) throw new rules.OnlyTried(done)
        return done
      }).catch((error) => {
        if (error instanceof rules.OnlyTried) return error.outcomes
        throw error
      })
      return rows.map((row, place) => rules.showOutcome(row, outcomes[place] ?? 'unchanged'))
    },

    /** All ids in the order of their emojis, part by part. */
    async give({ user_id: actor_id }: Principal, { after, limit: asked }: ExportQuery) {
      const limit = Math.min(asked, largestPart)
      const start = after === undefined ? {} : { after: readEmojiId(after) }
      const part = await findPart(db, { ...start, limit })
      await audit.note(db, 'emoji_ids.exported', {
        actor_id,
        details: { after: after ?? null, count: part.length },
      })
      const data = part.map(({ canonical: _canonical, records: all, ...id }) => ({
        ...id,
        records: all.map(({ tag, data: text }) => ({ tag, data: text })),
      }))
      return { data, next: part.length < limit ? null : (part.at(-1)?.canonical ?? null) }
    },
  }
}

async function orRefusal<Value>(work: () => Promise<Value>): Promise<Value | ServiceError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError && error.kind !== 'unavailable') return error
    throw error
  }
}

function holderIn(holders: Holders, owner: rules.Owner): rules.Holder {
  const holder = holders.get(rules.nameOf(owner))
  if (holder instanceof ServiceError) throw holder
  if (!holder) throw new Error('Nobody looked for this owner')
  return holder
}

function holderByEmail(user: UserRow | undefined): rules.Holder {
  const holder = holderOfUser(user)
  if (!user?.email_verified_at) throw new rules.UnconfirmedOwnerError()
  return holder
}

function holderOfUser(user: UserRow | undefined): rules.Holder {
  if (!user) throw new UnknownUserError()
  assertActive(user)
  if (!user.pubkey || !user.is_useful) throw new UselessKeyError()
  return { pubkey: user.pubkey, user_id: user.id, organization_id: null }
}

function holderOfKey(key: KeyRow | undefined): rules.Holder {
  if (!key?.is_useful) throw new UselessKeyError()
  assertActive({ deactivated_at: key.is_active ? null : new Date(0) })
  const { pubkey, user_id, organization_id } = key
  return { pubkey, user_id, organization_id }
}
