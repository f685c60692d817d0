import {
  displayFormat,
  type EmojiId,
  merkleRoot,
  parseTonedEmojiId,
  toDisplayFormat,
} from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { Principal } from '../access/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import type { EmojiIds, OwnedId } from '../emoji-ids/index.ts'
import type { Keys } from '../keys/index.ts'
import type { Links } from '../links/index.ts'
import type { Notifications } from '../notifications/index.ts'
import { type Records, signedMessage, signingDomain } from '../records/index.ts'
import * as rules from './rules.ts'
import type { Edit, NewRecord } from './schema.ts'

export type Edits = ReturnType<typeof createEdits>

type Options = {
  db: Database
  accounts: Accounts
  emojiIds: EmojiIds
  records: Records
  keys: Keys
  links: Links
  notifications: Notifications
  audit: Audit
  authUrl: string
}
type Change = { before: readonly rules.Stored[]; after: readonly rules.Stored[]; actor_id: string }
type Signature = { nonce: string; signature: string }

/** Changing what is behind an id: atomic, signed, remembered, told to its owner. */
export function createEdits(options: Options) {
  const { db, accounts, emojiIds, records, keys, links, notifications, audit, authUrl } = options

  /** Tells whoever owns the id; a change that they did not make can be undone for an hour. */
  const tellOwner = async (
    trx: Transaction,
    owned: OwnedId,
    { before, after, actor_id }: Change,
    version: number,
  ) => {
    const changes = rules.addressChanges(before, after)
    if (changes.length === 0 || owned.user_id === null) return
    const owner = await accounts.find(owned.user_id, trx)
    if (!owner?.email) return
    const data = { emoji_id: owned.emoji_id, version }
    const { token, valid_minutes } = await links.issue(trx, 'undo_records', owner.id, data)
    await notifications.queueMail(trx, {
      to: owner.email,
      template: 'records_changed',
      params: {
        ...{ emoji_id: owned.display_format, changes, valid_minutes },
        by_owner: actor_id === owner.id,
        link: `${authUrl}/undo_change?token=${token}`,
      },
    })
  }

  const save = async (trx: Transaction, owned: OwnedId, change: Change, signature?: Signature) => {
    const { before, after, actor_id } = change
    const version = await records.save(trx, owned, {
      ...{ records: after, actor_id },
      ...(signature ? { signature } : {}),
    })
    const preferred = rules.preferredOf(after)
    if (preferred !== rules.preferredOf(before)) {
      const { id, tones } = parseTonedEmojiId(preferred ?? owned.emoji_id)
      await emojiIds.setDisplay(trx, id, displayFormat(id, tones))
    }
    return version
  }

  /** What the owner signed must be what will stand there. */
  const checkSignature = (owned: OwnedId, after: readonly rules.Stored[], edit: Edit) => {
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

  return {
    async edit(caller: Principal, id: EmojiId, edit: Edit): Promise<string[]> {
      const checked = rules.readEdit(id, edit)
      return transact(db, async (trx) => {
        const owned = await emojiIds.loadToWrite(trx, caller, id)
        const { records: before } = await records.current(trx, id)
        const after = rules.applyEdit(before, checked)
        const signature = checkSignature(owned, after, edit)
        const change = { before, after, actor_id: caller.user_id }
        const version = await save(trx, owned, change, signature)
        const details = { emoji_id: id, version, inserted: checked.insert, removed: checked.remove }
        const noted = { actor_id: caller.user_id, subject_id: owned.user_id, details }
        await audit.note(trx, 'records.changed', noted)
        await tellOwner(trx, owned, change, version)
        return [id]
      })
    },

    /** Puts records in place of those that came the same way before; answers the new hashes. */
    async replaceLinked(
      trx: Transaction,
      caller: Principal,
      owned: OwnedId,
      linked: { before: readonly string[]; after: readonly NewRecord[] },
    ): Promise<string[]> {
      const id = owned.emoji_id as EmojiId
      const { records: before } = await records.current(trx, id)
      const remove = linked.before.filter((hash) => before.some((one) => one.hash === hash))
      const insert = rules.readRecords(id, linked.after)
      const after = rules.applyEdit(before, { insert, remove, bypass: false })
      const change = { before, after, actor_id: caller.user_id }
      const version = await save(trx, owned, change)
      const details = { emoji_id: id, version, inserted: insert, removed: remove }
      const noted = { actor_id: caller.user_id, subject_id: owned.user_id, details }
      await audit.note(trx, 'records.changed', noted)
      await tellOwner(trx, owned, change, version)
      return insert.map(({ hash }) => hash)
    },

    /** For the demonstration: records as if their owner had written them. */
    async write(trx: Transaction, id: EmojiId, inputs: readonly NewRecord[]): Promise<void> {
      const owned = await emojiIds.loadToChange(trx, id)
      const after = rules.readRecords(id, inputs)
      await records.save(trx, owned, { records: after, actor_id: null })
    },

    /** What an undo link would do, without doing it. */
    async lookAtUndo(token: string): Promise<{ emoji_id: string }> {
      const link = await links.peek('undo_records', token)
      const id = link?.data.emoji_id
      if (!id) throw new rules.CannotUndoError()
      const owned = await emojiIds.find(id as EmojiId)
      return { emoji_id: owned?.display_format ?? toDisplayFormat(id as EmojiId) }
    },

    /** Puts the records back as they were before one change, unless they changed again since. */
    async undo(token: string): Promise<string> {
      return transact(db, async (trx) => {
        const link = await links.use(trx, 'undo_records', token)
        const { emoji_id, version } = link?.data ?? {}
        if (!link || !emoji_id || !version) throw new rules.CannotUndoError()
        const id = emoji_id as EmojiId
        const owned = await emojiIds.loadToChange(trx, id)
        const { records: before, version: now } = await records.current(trx, id)
        if (owned.user_id !== link.user_id || now !== version) throw new rules.CannotUndoError()
        const after = (await records.stateBefore(trx, id, version)) ?? []
        await save(trx, owned, { before, after, actor_id: link.user_id })
        const details = { emoji_id: id, version }
        await audit.note(trx, 'records.undone', { actor_id: link.user_id, details })
        return owned.display_format
      })
    },
  }
}
