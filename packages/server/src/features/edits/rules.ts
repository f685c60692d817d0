import {
  checkRecord,
  type EmojiId,
  isSingleValue,
  parseTonedEmojiId,
  RecordError,
  recordHash,
  type Tag,
  tagClass,
  tagInfo,
} from '@emojid/core'
import { inField, ServiceError } from '../../platform/errors.ts'
import type { Edit, NewRecord } from './schema.ts'

export type Stored = { tag: string; data: string; hash: string }
type CheckedEdit = { insert: Stored[]; remove: string[]; bypass: boolean }

const recordsAtMost = 200
const preferredForm = '0x0006'

/** What somebody wants changed, checked record by record. */
export function readEdit(id: EmojiId, edit: Edit): CheckedEdit {
  return {
    insert: readRecords(id, edit.insert ?? []),
    remove: (edit.delete ?? []).map((hash) => hash.toLowerCase()),
    bypass: edit.bypass_single_restrictions === true,
  }
}

export function readRecords(id: EmojiId, records: readonly NewRecord[]): Stored[] {
  return records.map((record, at) => {
    try {
      const { tag, data } = checkRecord(record)
      if (tag === preferredForm && parseTonedEmojiId(data).id !== id) throw new OtherIdError()
      return { tag, data, hash: recordHash(tag, data) }
    } catch (error) {
      if (error instanceof RecordError) throw new WrongRecordError(error, at)
      throw error
    }
  })
}

/** The records after an edit: deletes, then inserts. */
export function applyEdit(current: readonly Stored[], edit: CheckedEdit): Stored[] {
  const { insert, remove, bypass } = edit
  const known = new Set(current.map(({ hash }) => hash))
  if (remove.some((hash) => !known.has(hash))) throw new UnknownRecordError()
  const kept = current.filter(({ hash }) => !remove.includes(hash))
  const hashes = [...kept, ...insert].map(({ hash }) => hash)
  if (new Set(hashes).size !== hashes.length) throw new DuplicateRecordError()
  const singles = bypass
    ? []
    : insert.map(({ tag }) => tag).filter((tag) => isSingleValue(tag as Tag))
  if (new Set(singles).size !== singles.length) throw new DuplicateRecordError()
  const result = [...kept.filter(({ tag }) => !singles.includes(tag)), ...insert]
  if (result.length > recordsAtMost) throw new TooManyRecordsError()
  return result
}

/** What shows as the id, if its owner says so. */
export const preferredOf = (records: readonly Stored[]): string | undefined =>
  records.findLast(({ tag }) => tag === preferredForm)?.data

const isAddress = (tag: string) => tagClass(tag as Tag) === 'crypto' || /^0x6[23]00$/.test(tag)
const nameOf = (tag: string) => tagInfo(tag as Tag)?.ticker ?? tagInfo(tag as Tag)?.name ?? tag

/** Which addresses came and went, in words for their owner. */
export function addressChanges(before: readonly Stored[], after: readonly Stored[]): string[] {
  const [old, fresh] = [before, after].map((records) => records.filter(({ tag }) => isAddress(tag)))
  const without = (some: Stored[] = [], others: Stored[] = []) =>
    some.filter(({ hash }) => !others.some((other) => other.hash === hash))
  return [
    ...without(old, fresh).map(({ tag, data }) => `${nameOf(tag)} ${data} was removed`),
    ...without(fresh, old).map(({ tag, data }) => `${nameOf(tag)} ${data} was added`),
  ]
}

/** R and s of a signature, as clients send it. */
export function readSignature(text: string) {
  const hex = text.replace(/^0x/i, '').toLowerCase()
  if (!/^[0-9a-f]{128}$/.test(hex)) throw new WrongSignatureError()
  return { nonce: hex.slice(0, 64), signature: hex.slice(64) }
}

class WrongRecordError extends ServiceError {
  override readonly name = 'Edits.WrongRecordError'
  constructor(cause: RecordError, at: number) {
    const kind = cause.code === 'tag.malformed' ? 'invalid' : 'refused'
    super(kind, cause.code, cause.message, {
      cause,
      ...inField(`insert.${at}`, cause.code, cause.message),
    })
  }
}

class OtherIdError extends ServiceError {
  override readonly name = 'Edits.OtherIdError'
  constructor() {
    super('refused', 'other_id', 'The preferred form of an id is the same id, with other tones.')
  }
}

class DuplicateRecordError extends ServiceError {
  override readonly name = 'Edits.DuplicateRecordError'
  constructor() {
    const message =
      'A record is there already, or two values of a category that keeps one were sent at once.'
    super('refused', 'uniqueness', message, inField('insert', 'uniqueness', message))
  }
}

class UnknownRecordError extends ServiceError {
  override readonly name = 'Edits.UnknownRecordError'
  constructor() {
    const message = 'The id has no record with this hash. Look it up again; nothing was changed.'
    super('refused', 'unknown_record', message, inField('delete', 'unknown', message))
  }
}

class TooManyRecordsError extends ServiceError {
  override readonly name = 'Edits.TooManyRecordsError'
  constructor() {
    super('refused', 'too_many_records', `An id has at most ${recordsAtMost} records.`)
  }
}

export class WrongRootError extends ServiceError {
  override readonly name = 'Edits.WrongRootError'
  constructor() {
    const message = 'merkle_root is not the root over the records as they would be after this edit.'
    super('refused', 'wrong_merkle_root', message, inField('merkle_root', 'wrong', message))
  }
}

export class WrongSignatureError extends ServiceError {
  override readonly name = 'Edits.WrongSignatureError'
  constructor() {
    const message = 'signature is not one by the key of this id over the id and its merkle root.'
    super('refused', 'wrong_signature', message, inField('signature', 'wrong', message))
  }
}

export class CannotUndoError extends ServiceError {
  override readonly name = 'Edits.CannotUndoError'
  constructor() {
    super(
      'refused',
      'cannot_undo',
      'This change cannot be undone any more: the link is used or too old, or the records changed again. Edit them instead.',
    )
  }
}
