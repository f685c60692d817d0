import { displayFormat, type EmojiId, merkleRoot, parseTonedEmojiId } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import type { MaybeWhy } from '../../platform/http/schemas.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { Delays } from '../delays/index.ts'
import type { EmojiIds, OwnedId } from '../emoji-ids/index.ts'
import type { Keys } from '../keys/index.ts'
import type { Link, Links } from '../links/index.ts'
import type { Notifications } from '../notifications/index.ts'
import { type KeptRecord, type Records, signedMessage, signingDomain } from '../records/index.ts'
import * as rules from './rules.ts'
import type { Edit, NewRecord } from './schema.ts'

export type Edits = ReturnType<typeof createEdits>

type Options = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  records: Records
  delays: Delays
  keys: Keys
  links: Links
  notifications: Notifications
  audit: Audit
  authUrl: string
}
type Change = {
  before: readonly KeptRecord[]
  after: readonly KeptRecord[]
  actor_id: string
  reason?: string | undefined
  /** The version whose addresses it puts back. */
  undoes?: number
}
type Written = {
  inserted: readonly KeptRecord[]
  removed: readonly string[]
  /** What waits, and for how long the id lets it. */
  standing: Awaited<ReturnType<Delays['settle']>>
}
type Outcome = { isChanged: boolean; changes_at?: Date }
type EditAnswer = { changed: string[]; changes_at: Date | undefined }
type Signature = { nonce: string; signature: string }

/** Changing what is behind an id: atomic, signed, remembered, told to its owner. */
export function createEdits(options: Options) {
  const { db, accounts, emojiIds, records, delays, keys, links, notifications, audit, authUrl } =
    options

  /** Tells whoever has the id; each of them can undo the change for an hour. */
  const tellOwners = async (trx: Transaction, owned: OwnedId, change: Change, version: number) => {
    const changes = rules.addressChanges(change)
    if (changes.length === 0) return
    const people = await accounts.findAll(trx, await emojiIds.peopleBehind(trx, owned))
    const isByOneOfThem = people.some(({ id }) => id === change.actor_id)
    for (const user of people) {
      const { id } = user
      const email = await accounts.mailboxFor(trx, user)
      if (!email) continue
      const data = { emoji_id: owned.emoji_id, version }
      const { token, valid_minutes } = await links.issue(trx, 'undo_records', id, data)
      const others = isByOneOfThem ? ('colleague' as const) : ('operator' as const)
      await notifications.queueMail(trx, {
        to: email,
        template: 'records_changed',
        params: {
          emoji_id: owned.display_format,
          changes,
          valid_minutes,
          by: id === change.actor_id ? 'reader' : others,
          link: `${authUrl}/undo_change?token=${token}`,
        },
      })
    }
  }

  const save = async (trx: Transaction, owned: OwnedId, change: Change, signature?: Signature) => {
    const { before, after, actor_id, undoes } = change
    const version = await records.save(trx, owned, {
      records: after,
      actor_id,
      ...(signature ? { signature } : {}),
      ...(undoes ? { undoes } : {}),
    })
    const preferred = rules.preferredOf(after)
    if (preferred !== rules.preferredOf(before)) {
      const { id, tones } = parseTonedEmojiId(preferred ?? owned.emoji_id)
      await emojiIds.setDisplay(trx, id, displayFormat(id, tones))
    }
    return version
  }

  /** The records as they are now, whatever waited for its time until then. */
  const currentOf = async (trx: Transaction, owned: OwnedId) => {
    const standing = await delays.settle(trx, owned)
    return { ...(await records.current(trx, owned.emoji_id as EmojiId)), standing }
  }

  /**
   * Saves an edit. An edit without effect makes no version; what has to wait is answered with the
   * time when it takes effect.
   */
  const carryOut = async (
    trx: Transaction,
    owned: OwnedId,
    asked: Change & Written,
    signature?: Signature,
  ): Promise<Outcome> => {
    if (rules.isSame(asked) && !signature) return { isChanged: false }
    const { actor_id, reason } = asked
    const why = reason ? { reason } : {}
    const { before, after, standing } = asked
    const whole = { before, after, standing, actor_id, signature, ...why }
    const held = await delays.hold(trx, owned, whole)
    const change = held.changes_at ? rules.partOf(asked, held.after) : asked
    if (held.changes_at && rules.isSame(change)) {
      return { isChanged: false, changes_at: held.changes_at }
    }
    const { inserted, removed } = change
    const version = await save(trx, owned, change, held.changes_at ? undefined : signature)
    const details = { emoji_id: owned.emoji_id, version, inserted, removed, reason }
    const noted = { actor_id, subject_id: owned.user_id, details }
    await audit.note(trx, 'records.changed', noted)
    await tellOwners(trx, owned, change, version)
    return { isChanged: true, ...(held.changes_at ? { changes_at: held.changes_at } : {}) }
  }

  /** What the owner signed must be what will stand there. */
  const checkSignature = (owned: OwnedId, after: readonly KeptRecord[], edit: Edit) => {
    const root = merkleRoot(after.map(({ hash }) => hash))
    if (edit.merkle_root !== undefined && edit.merkle_root.toLowerCase() !== root) {
      throw new rules.WrongRootError()
    }
    if (edit.signature === undefined) return undefined
    const signature = rules.readSignature(edit.signature)
    const message = signedMessage(owned.emoji_id as EmojiId, root)
    const isRight = owned.pubkey && keys.isSignedBy(owned.pubkey, signingDomain, message, signature)
    if (!isRight) throw new rules.WrongSignatureError()
    return signature
  }

  /**
   * The categories that were put back to an even earlier time since. Undoing a change there would
   * lead forward again: of two changes by a thief, to the first.
   */
  const settledSince = async (trx: Transaction, id: EmojiId, version: number) => {
    const settled = new Set<string>()
    for (const earlier of await records.undone(trx, id, version)) {
      const change = await records.change(trx, id, earlier)
      for (const tag of change ? rules.changedCategories(change) : []) settled.add(tag)
    }
    return settled
  }

  /** What a link puts back now. */
  const planUndo = async (trx: Transaction, link: Link | undefined) => {
    const { emoji_id, version } = link?.data ?? {}
    if (!link || !emoji_id || !version) throw new rules.CannotUndoError()
    const id = emoji_id as EmojiId
    const owned = await emojiIds.loadToChange(trx, id)
    const people = await emojiIds.peopleBehind(trx, owned)
    const { records: before } = await currentOf(trx, owned)
    const undone = await records.change(trx, id, version)
    if (!undone || !people.includes(link.user_id)) throw new rules.CannotUndoError()
    const settled = await settledSince(trx, id, version)
    const categories = rules.changedCategories(undone).filter((tag) => !settled.has(tag))
    return {
      owned,
      version,
      actor_id: link.user_id,
      isSettled: categories.length === 0,
      before,
      after: rules.putBack(before, undone.before, categories),
    }
  }

  return {
    /** Answers which ids it changed, and when those that have to wait change. */
    async edit(caller: Principal, id: EmojiId, edit: Edit): Promise<EditAnswer> {
      const checked = rules.readEdit(id, edit)
      return transact(db, async (trx) => {
        const owned = await emojiIds.loadToWrite(trx, caller, id)
        const current = await currentOf(trx, owned)
        const after = rules.applyEdit(current.records, checked)
        const signature = checkSignature(owned, after, edit)
        const isThere = signature?.signature === current.signature
        const change = {
          before: current.records,
          after,
          actor_id: caller.user_id,
          reason: edit.reason,
          inserted: checked.insert,
          removed: checked.remove,
          standing: current.standing,
        }
        const outcome = await carryOut(trx, owned, change, isThere ? undefined : signature)
        return { changed: outcome.isChanged ? [id] : [], changes_at: outcome.changes_at }
      })
    },

    /** Puts records in place of those that came with the same store entry before. */
    async replaceLinked(
      trx: Transaction,
      caller: Principal,
      owned: OwnedId,
      { key, linked, reason }: MaybeWhy & { key: string; linked: readonly NewRecord[] },
    ): Promise<void> {
      const id = owned.emoji_id as EmojiId
      const { records: before, standing } = await currentOf(trx, owned)
      const checked = rules.readLinked(id, key, { before, linked })
      const after = rules.applyEdit(before, checked)
      await carryOut(trx, owned, {
        before,
        after,
        actor_id: caller.user_id,
        reason,
        inserted: checked.insert,
        removed: checked.remove,
        standing,
      })
    },

    /** All records that an id shall have, checked as those of an edit are. */
    readWhole: rules.readWhole,

    /** Puts records in place of all that an id has; tells whether that changed anything, or will. */
    async replaceAll(
      trx: Transaction,
      caller: Principal,
      owned: OwnedId,
      { before, wanted, reason }: MaybeWhy & Record<'before' | 'wanted', readonly KeptRecord[]>,
    ): Promise<Outcome> {
      const standing = await delays.settle(trx, owned)
      const current = standing.isChanged
        ? (await records.current(trx, owned.emoji_id as EmojiId)).records
        : before
      return carryOut(trx, owned, {
        ...rules.replacing(current, wanted),
        standing,
        actor_id: caller.user_id,
        reason,
      })
    },

    /** For the demonstration: records as if their owner had written them. */
    async write(trx: Transaction, id: EmojiId, inputs: readonly NewRecord[]): Promise<void> {
      const owned = await emojiIds.loadToChange(trx, id)
      const after = rules.readRecords(id, inputs)
      await records.save(trx, owned, { records: after, actor_id: null })
    },

    /** What an undo link would do now, without doing it; told to nobody whose id it is not. */
    async lookAtUndo(token: string): Promise<{ emoji_id: string; changes: string[] }> {
      return transact(db, async (trx) => {
        const link = await links.peek('undo_records', token, trx)
        const { owned, before, after } = await planUndo(trx, link)
        const changes = rules.addressChanges({ before, after }, 'undone')
        return { emoji_id: owned.display_format, changes }
      })
    },

    /** Puts the addresses back that one change replaced, whatever came later; all else stays. */
    async undo(token: string): Promise<string> {
      return transact(db, async (trx) => {
        const link = await links.use(trx, 'undo_records', token)
        const { owned, version, actor_id, before, after, isSettled } = await planUndo(trx, link)
        // An undo also cancels the change that still waits.
        await delays.drop(trx, owned, { actor_id })
        if (isSettled) return owned.display_format
        // Saved even if nothing is left to put back: links to later changes go by it.
        await save(trx, owned, { before, after, actor_id, undoes: version })
        const details = { emoji_id: owned.emoji_id, version }
        const noted = { actor_id, subject_id: owned.user_id, details }
        await audit.note(trx, 'records.undone', noted)
        return owned.display_format
      })
    },
  }
}
