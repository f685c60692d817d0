import {
  byRecency,
  checkRecord,
  type EmojiId,
  newestShownAs,
  parseTonedEmojiId,
  RecordError,
  recordHash,
  replaceRecords,
  singleValueKey,
  type Tag,
  tagUse,
  withoutRecency,
} from '@emojid/core'
import { duplicate, inField, refusal, refusalIn } from '../../../platform/errors.ts'
import {
  assertCount,
  fillPlaces,
  isAddress,
  isReordered,
  type KeptRecord,
  marksOf,
  nameAddress,
  recordsOnlyIn,
} from '../records/records.ts'
import type { Edit, NewRecord } from './schema.ts'

/** The request member that an edit comes from. */
type Field = 'insert' | 'linked_tags'
type CheckedEdit = {
  insert: KeptRecord[]
  remove: string[]
  bypass: boolean
  field: Field
  /** The hashes of all records in their new order; undefined leaves each in its place. */
  order?: readonly string[] | undefined
}
type RequestedChange = { inserted: readonly KeptRecord[]; removed: readonly string[] }
type Change = { before: readonly KeptRecord[]; after: readonly KeptRecord[] }

/** Longer data counts as several records. */
const bytesOfRecord = 256

/** Checks the edit record by record. */
export function readEdit(id: EmojiId, edit: Edit): CheckedEdit {
  return {
    insert: readRecords(id, edit.insert ?? []),
    remove: (edit.delete ?? []).map((hash) => hash.toLowerCase()),
    bypass: edit.bypass_single_restrictions === true,
    field: 'insert',
    order: edit.order?.map((hash) => hash.toLowerCase()),
  }
}

/** Replaces the records that an earlier write of the same store entry added. */
export function readLinked(
  id: EmojiId,
  key: string,
  { before, linked }: { before: readonly KeptRecord[]; linked: readonly NewRecord[] },
): CheckedEdit {
  const records = readRecords(id, linked, 'linked_tags')
  return {
    insert: records.map((record) => ({ ...record, linked_to: key })),
    remove: before.filter(({ linked_to }) => linked_to === key).map(({ hash }) => hash),
    bypass: false,
    field: 'linked_tags',
  }
}

export function readRecords(
  id: EmojiId,
  records: readonly NewRecord[],
  field: Field = 'insert',
): KeptRecord[] {
  return records.map((record, at) => {
    const place = `${field}.${at}`
    try {
      const { tag, data } = checkRecord(record)
      if (tagUse(tag).shown === 'display_form' && parseTonedEmojiId(data).id !== id)
        throw otherId(place)
      return { tag, data, hash: recordHash(tag, data) }
    } catch (error) {
      if (error instanceof RecordError) throw wrongRecord(error, place)
      throw error
    }
  })
}

/** Reads records of an id from a file, in their order. */
export const readWhole = (id: EmojiId, inputs: readonly NewRecord[]): KeptRecord[] =>
  applyEdit([], { insert: readRecords(id, inputs), remove: [], bypass: true, field: 'insert' })

/** Replaces the categories of these records; the records of other categories stay. */
export function replaceCategories(
  current: readonly KeptRecord[],
  records: readonly KeptRecord[],
): KeptRecord[] {
  const after = restoreCategories(current, records, [...new Set(records.map(categoryOf))])
  assertCount(current, after)
  return after
}

/** The change that leads to these records, whose places count. Records that stay keep their links. */
export function changeTo(before: readonly KeptRecord[], after: readonly KeptRecord[]) {
  const recordsByHash = new Map(before.map((record) => [record.hash, record]))
  const remaining = new Set(after.map(({ hash }) => hash))
  return {
    before,
    after: after.map((record) => ({ ...linkOf(recordsByHash.get(record.hash)), ...record })),
    inserted: after.filter(({ hash }) => !recordsByHash.has(hash)),
    removed: before.map(({ hash }) => hash).filter((hash) => !remaining.has(hash)),
  }
}

const linkOf = (record: KeptRecord | undefined) =>
  record?.linked_to === undefined ? {} : { linked_to: record.linked_to }

/** The records after an edit: deletes, then inserts, then the new order. */
export function applyEdit(current: readonly KeptRecord[], edit: CheckedEdit): KeptRecord[] {
  const { insert, remove, bypass, field, order } = edit
  const currentHashes = new Set(current.map(({ hash }) => hash))
  if (remove.some((hash) => !currentHashes.has(hash))) throw unknownRecord()
  const rest = current.filter(({ hash }) => !remove.includes(hash))
  const hashes = [...rest, ...insert].map(({ hash }) => hash)
  if (new Set(hashes).size !== hashes.length) throw duplicateRecord(field)
  const singles = bypass ? [] : insert.flatMap((record) => singleKeyOf(record) ?? [])
  if (new Set(singles).size !== singles.length) throw duplicateRecord(field)
  const replacedRecords = rest.filter((record) => singles.includes(singleKeyOf(record) ?? ''))
  const leaving = new Set([...remove, ...replacedRecords.map(({ hash }) => hash)])
  const result = replaceRecords(current.map(toCore), leaving, insert.map(toCore))
  assertCount(current, result)
  return order ? inOrder(result, order) : result
}

const toCore = (record: KeptRecord) => ({ ...record, tag: record.tag as Tag })
const singleKeyOf = (record: KeptRecord) => singleValueKey(toCore(record))

/** An incomplete order would put records that the owner did not see first or last. */
function inOrder(records: readonly KeptRecord[], order: readonly string[]): KeptRecord[] {
  const byHash = new Map(records.map((record) => [record.hash, record]))
  const orderedRecords = [...new Set(order)].flatMap((hash) => byHash.get(hash) ?? [])
  if (order.length !== records.length || orderedRecords.length !== records.length)
    throw wrongOrder()
  return orderedRecords.map(withoutRecency)
}

/** The part of a delayed change that takes effect now. */
export function partOf<Whole extends Change & RequestedChange>(
  whole: Whole,
  after: readonly KeptRecord[],
): Whole {
  const [had, has] = [whole.before, after].map((all) => new Set(all.map(({ hash }) => hash)))
  return {
    ...whole,
    after,
    inserted: whole.inserted.filter(({ hash }) => has?.has(hash) && !had?.has(hash)),
    removed: whole.removed.filter((hash) => !has?.has(hash)),
  }
}

/** The cost to sign these records and to store them in the history, in records. */
export const storageCost = (records: readonly KeptRecord[]): number =>
  records.reduce(
    (sum, { data }) => sum + 1 + Math.floor(Buffer.byteLength(data) / bytesOfRecord),
    0,
  )

/** The cost to read records of this length, in records. */
export const readCost = (bytes: number): number => Math.floor(bytes / bytesOfRecord)

/** The preferred form of the id, if its owner set one. */
export const preferredOf = (records: readonly KeptRecord[]): string | undefined =>
  newestShownAs(records, 'display_form')?.data

/** Whether records, order and links are unchanged. */
export const isSame = ({ before, after }: Change): boolean =>
  before.length === after.length &&
  before.every(({ hash, linked_to, recent }, place) => {
    const other = after[place]
    return other?.hash === hash && other.linked_to === linked_to && other.recent === recent
  })

function addressesOf({ before, after }: Change) {
  return {
    removed: recordsOnlyIn(before, after).filter(isAddress),
    added: recordsOnlyIn(after, before).filter(isAddress),
  }
}

/** Tags whose addresses changed their order, which can decide which one is paid. */
function reorderedTags({ before, after }: Change): string[] {
  const tags = new Set(after.filter(isAddress).map(({ tag }) => tag))
  const of = (records: readonly KeptRecord[], category: string) =>
    records.filter(({ tag }) => tag === category)
  return [...tags].filter((tag) => isReordered(of(before, tag), of(after, tag)))
}

/** For a change that happened, and for one that an undo would make. */
const verbs = {
  made: { removed: 'was removed', added: 'was added', marked: 'is now', ordered: 'is now' },
  undone: {
    removed: 'will be removed',
    added: 'will be restored',
    marked: 'will be',
    ordered: 'becomes',
  },
}

/** Describes added, removed, relabelled and reordered addresses for the owner. */
export function addressChanges(change: Change, how: keyof typeof verbs = 'made'): string[] {
  const { removed, added } = addressesOf(change)
  const words = verbs[how]
  const isIn = (others: readonly KeptRecord[]) => {
    const names = new Set(others.map(nameAddress))
    return (record: KeptRecord) => names.has(nameAddress(record))
  }
  const [wasThere, isThere] = [isIn(removed), isIn(added)]
  return [
    ...removed.filter((one) => !isThere(one)).map((one) => `${inWords(one)} ${words.removed}`),
    ...added.map((one) =>
      wasThere(one)
        ? `${nameAddress(one)} ${words.marked} ${marksOf(one) || 'neither labelled nor the default'}`
        : `${inWords(one)} ${words.added}`,
    ),
    ...reorderedTags(change).map((category) => {
      const ofTag = change.after.filter(({ tag }) => tag === category)
      const ordered = byRecency(ofTag).map(nameAddress)
      return `the order ${words.ordered}: ${ordered.join(', then ')}`
    }),
  ]
}

/** The address as payers use it, followed by its label. */
function inWords(record: KeptRecord): string {
  const marks = marksOf(record)
  return marks ? `${nameAddress(record)} (${marks})` : nameAddress(record)
}

/** Comparing two states of an id asks for the category of each record many times. */
const categoriesOfRecords = new WeakMap<KeptRecord, string>()

/** The unit of an undo: one ticker of 0x3fff, one token of 0x6300, or one tag. */
function categoryOf(record: KeptRecord): string {
  const category = categoriesOfRecords.get(record) ?? singleKeyOf(record) ?? record.tag
  categoriesOfRecords.set(record, category)
  return category
}

/** The categories in which a change added or removed addresses. */
export function replacedCategories(change: Change): string[] {
  const { removed, added } = addressesOf(change)
  return [...new Set([...removed, ...added].map(categoryOf))]
}

/** The categories in which a change only moved addresses. */
export function reorderedCategories(change: Change): string[] {
  const tags = reorderedTags(change)
  const replaced = new Set(replacedCategories(change))
  const moved = change.after.filter(({ tag }) => tags.includes(tag)).map(categoryOf)
  return [...new Set(moved)].filter((category) => !replaced.has(category))
}

/** The categories in which a change replaced or reordered addresses. */
export const changedCategories = (change: Change): string[] => [
  ...replacedCategories(change),
  ...reorderedCategories(change),
]

/**
 * Restores only the order of some categories. Records that came since keep their places, and records
 * that are gone stay gone: a later change of an address counts.
 */
export function restoreOrder(
  current: readonly KeptRecord[],
  once: readonly KeptRecord[],
  categories: readonly string[],
): KeptRecord[] {
  const places = findPlaces(current, once)
  const placeOf = ({ hash }: KeptRecord) => places.get(hash) ?? -1
  const isMoved = (record: KeptRecord) =>
    categories.includes(categoryOf(record)) && placeOf(record) !== -1
  const recency = new Map(once.map(({ hash, recent }) => [hash, recent]))
  let ordered = current.map((record) => {
    const recent = recency.get(record.hash)
    if (!isMoved(record)) return record
    return recent === undefined ? withoutRecency(record) : { ...record, recent }
  })
  for (const category of new Set(current.filter(isMoved).map(({ tag }) => tag))) {
    const isPlace = (record: KeptRecord) => record.tag === category && isMoved(record)
    const fillers = ordered.filter(isPlace).sort((one, other) => placeOf(one) - placeOf(other))
    ordered = fillPlaces(ordered, isPlace, fillers)
  }
  return ordered
}

/**
 * The earlier places of current records, by hash. A record that was only relabelled since is still
 * the same address; one address can be stored several times with different labels.
 */
function findPlaces(current: readonly KeptRecord[], once: readonly KeptRecord[]) {
  const keyOf = (record: KeptRecord) => `${record.tag} ${nameAddress(record)}`
  const currentHashes = new Set(current.map(({ hash }) => hash))
  const places = new Map(once.map(({ hash }, place) => [hash, place]))
  const relabelled = new Map<string, number[]>()
  for (const [place, record] of once.entries()) {
    if (currentHashes.has(record.hash)) continue
    const key = keyOf(record)
    relabelled.set(key, [...(relabelled.get(key) ?? []), place])
  }
  for (const record of current) {
    if (places.has(record.hash)) continue
    const earlier = relabelled.get(keyOf(record))?.shift()
    if (earlier !== undefined) places.set(record.hash, earlier)
  }
  return places
}

/** Restores some categories to an earlier state; all others stay. */
export function restoreCategories(
  current: readonly KeptRecord[],
  singleRecords: readonly KeptRecord[],
  categories: readonly string[],
): KeptRecord[] {
  const isRestored = (record: KeptRecord) => categories.includes(categoryOf(record))
  const tags = new Set([...singleRecords, ...current].filter(isRestored).map(({ tag }) => tag))
  let restoredRecords = [...current]
  for (const category of tags) {
    const isPlace = ({ tag }: KeptRecord) => tag === category
    const stayingRecords = current.filter((record) => isPlace(record) && !isRestored(record))
    restoredRecords = fillPlaces(
      restoredRecords,
      isPlace,
      mergeInto(stayingRecords, singleRecords.filter(isPlace), isRestored),
    )
  }
  return restoredRecords
}

/** Inserts earlier records after their earlier predecessors: the last of a tag can be the paid one. */
function mergeInto(
  stayingRecords: readonly KeptRecord[],
  singleRecords: readonly KeptRecord[],
  isInserted: (record: KeptRecord) => boolean,
): KeptRecord[] {
  const mergedRecords = [...stayingRecords]
  let place = 0
  for (const record of singleRecords) {
    const category = categoryOf(record)
    if (isInserted(record)) mergedRecords.splice(place++, 0, record)
    else
      place = Math.max(
        place,
        1 + mergedRecords.findLastIndex((one) => categoryOf(one) === category),
      )
  }
  return mergedRecords
}

/** Parses R and s of a signature. */
export function readSignature(text: string) {
  const hex = text.replace(/^0x/i, '').toLowerCase()
  if (!/^[0-9a-f]{128}$/.test(hex)) throw wrongSignature()
  return { nonce: hex.slice(0, 64), signature: hex.slice(64) }
}

const wrongRecord = (cause: RecordError, place: string) => {
  const kind = cause.code === 'malformed_tag' ? 'invalid' : 'refused'
  return refusal(kind, cause.code, cause.message, {
    cause,
    ...inField(place, cause.code, cause.message),
  })
}

const otherId = (place: string) =>
  refusalIn(
    place,
    'refused',
    'other_id',
    'The preferred form must be the same id with other skin tones.',
  )

const duplicateRecord = (field: Field) =>
  duplicate(
    field,
    'The record already exists, or the edit has two values of a category that allows one.',
  )

const wrongOrder = () =>
  refusalIn(
    'order',
    'refused',
    'wrong_order',
    'order must name every record after this edit exactly once. Look the id up again; nothing was changed.',
    'wrong',
  )

const unknownRecord = () =>
  refusalIn(
    'delete',
    'refused',
    'unknown_record',
    'The id has no record with this hash. Look the id up again; nothing was changed.',
    'unknown',
  )

export const wrongRoot = () =>
  refusalIn(
    'merkle_root',
    'refused',
    'wrong_merkle_root',
    'merkle_root does not match the records after this edit.',
    'wrong',
  )

export const wrongSignature = () =>
  refusalIn(
    'signature',
    'refused',
    'wrong_signature',
    'signature does not verify with the key of this id over the id and its merkle root.',
    'wrong',
  )

export const moderatedChange = () =>
  refusal(
    'refused',
    'moderated_change',
    'An operator has changed these payment addresses, so this link can’t restore them. Write to our support if you disagree.',
  )

export const cannotUndo = () =>
  refusal(
    'refused',
    'cannot_undo',
    'This change can no longer be undone: the link was used or has expired, or the id isn’t yours. Edit the records instead.',
  )
