import { merkleRoot, parseTag, recordHash, replaceRecords, type Strength } from '@emojid/core'
import type { NewRecord, StoredRecord } from '../../../../api/records.ts'
import { isRival, type Pair, pairUp } from '../../../../records/diff.ts'

/** One unsaved change. `strength` is that of the entered text, which the stored spelling hides. */
export type Step = { key: string } & (
  | { kind: 'add'; record: NewRecord; isBeside: boolean; strength?: Strength }
  | { kind: 'change'; hash: string; record: NewRecord; isBeside?: boolean; strength?: Strength }
  | { kind: 'remove'; hash: string }
  | { kind: 'order'; hashes: readonly string[] }
)
/** A step that adds or changes a record. */
type Setting = Extract<Step, { kind: 'add' | 'change' }>
export type Draft = readonly Step[]

/** The effect of a step on the current records. */
export type Entry = Pair & { step: Step }

let stepCount = 0
/** The key of a step without a stored record. Drafts survive a reload, which starts the count anew. */
export const newKey = (): string => `new ${Date.now()} ${++stepCount}`

const hashOf = ({ tag, data }: NewRecord): string => recordHash(parseTag(tag), data)

/** The remaining changes, based on the current records, which may have changed elsewhere. */
export function planOf(records: readonly StoredRecord[], draft: Draft): Entry[] {
  const removedHashes = new Set(draft.flatMap((step) => (step.kind === 'remove' ? step.hash : [])))
  const open = records.filter(({ hash }) => !removedHashes.has(hash))
  let entries: Entry[] = []
  for (const step of draft) {
    if (step.kind === 'order') continue
    if (step.kind === 'remove')
      entries.push({ step, before: records.filter(({ hash }) => hash === step.hash) })
    else if (!isIdle(open, step)) entries = withEntry(open, entries, step)
  }
  return entries
    .map((entry) => dropExisting(records, entry))
    .filter(({ before, after }) => after || before.length > 0)
}

/** Whether a step changes nothing. */
const isIdle = (records: readonly StoredRecord[], step: Setting): boolean =>
  step.kind === 'change' &&
  records.some(({ hash }) => hash === step.hash && hash === hashOf(step.record))

/**
 * The last of two conflicting steps wins: a step replaces earlier steps for the same kind of record,
 * with all their removals, unless the owner keeps both.
 */
function withEntry(records: readonly StoredRecord[], earlier: Entry[], step: Setting): Entry[] {
  const own = step.kind === 'change' ? records.find(({ hash }) => hash === step.hash) : undefined
  const takesAway = (entry: Entry, record: StoredRecord) =>
    entry.before.some(({ hash }) => hash === record.hash)
  const isReplaced = (entry: Entry): boolean => {
    if (step.isBeside || !entry.after) return false
    if (own) return takesAway(entry, own)
    // Records that were kept side by side are changed side by side.
    const areChanges = step.kind === 'change' && entry.step.kind === 'change'
    return !areChanges && isRival(entry.after, step.record)
  }
  const replacedEntries = earlier.filter(isReplaced)
  const remaining = earlier
    .filter((entry) => !replacedEntries.includes(entry))
    .map((entry) => ({ ...entry, before: entry.before.filter(({ hash }) => hash !== own?.hash) }))
  const rivals = records.filter(
    (record) =>
      isRival(record, step.record) && !remaining.some((entry) => takesAway(entry, record)),
  )
  const replacedRecords = [
    ...(own ? [own] : step.isBeside ? [] : rivals),
    ...replacedEntries.flatMap(({ before }) => before),
  ]
  return [...remaining, { step, before: [...new Set(replacedRecords)], after: step.record }]
}

/** Another session may have written the same record. */
function dropExisting(records: readonly StoredRecord[], entry: Entry): Entry {
  const { after, before } = entry
  const hash = after && hashOf(after)
  if (!records.some((record) => record.hash === hash)) return entry
  return { ...entry, before: before.filter((record) => record.hash !== hash), after: undefined }
}

/** The current records in the order that the owner wants; records from elsewhere come last. */
export function inWantedOrder(records: readonly StoredRecord[], draft: Draft): StoredRecord[] {
  const hashes = draft.flatMap((step) => (step.kind === 'order' ? step.hashes : []))
  const placeOf = ({ hash }: StoredRecord) =>
    hashes.includes(hash) ? hashes.indexOf(hash) : hashes.length
  return records.toSorted((one, other) => placeOf(one) - placeOf(other))
}

/** Whether the owner wants another order of the current records. */
export const isOrderChanged = (records: readonly StoredRecord[], draft: Draft): boolean =>
  inWantedOrder(records, draft).some((record, place) => record !== records[place])

/** Swaps two records. */
export function swapStep(
  records: readonly StoredRecord[],
  one: StoredRecord,
  other: StoredRecord,
): Step {
  const swappedRecords = records.map((record) =>
    record === one ? other : record === other ? one : record,
  )
  return { key: 'order', kind: 'order', hashes: swappedRecords.map(({ hash }) => hash) }
}

const toCore = ({ tag, data, recent }: NewRecord & { recent?: number }) => {
  const parsedTag = parseTag(tag)
  const record = { tag: parsedTag, data, hash: recordHash(parsedTag, data) }
  return recent === undefined ? record : { ...record, recent }
}

/** The records after saving; a changed record keeps its place. */
export function outcomeOf(
  records: readonly StoredRecord[],
  entries: readonly Entry[],
): StoredRecord[] {
  const removedHashes = new Set(entries.flatMap(({ before }) => before.map(({ hash }) => hash)))
  const addedRecords = entries.flatMap(({ after }) => after ?? [])
  return replaceRecords(records.map(toCore), removedHashes, addedRecords.map(toCore))
}

/**
 * One request for all changes. It names every removed record and the root of the expected result, so
 * the service rejects it after a concurrent change. The service must not replace any other record:
 * that record may come from another session, and this owner has not seen it.
 */
export function editOf(records: readonly StoredRecord[], entries: readonly Entry[], draft: Draft) {
  const insert = entries.flatMap(({ after }) => after ?? [])
  const outcome = outcomeOf(inWantedOrder(records, draft), entries).map(({ hash }) => hash)
  return {
    insert,
    delete: entries.flatMap(({ before }) => before.map(({ hash }) => hash)),
    bypass_single_restrictions: true,
    merkle_root: merkleRoot(outcome),
    ...(isOrderChanged(records, draft) ? { order: outcome } : {}),
  }
}

const hashIn = (step: Step): string | undefined => ('hash' in step ? step.hash : undefined)
const isSameStep = (one: Step, other: Step): boolean =>
  one.key === other.key || (hashIn(one) !== undefined && hashIn(one) === hashIn(other))

/** A step replaces the earlier step for the same record. */
export const withStep = (draft: Draft, step: Step): Draft => {
  const isSame = (one: Step) => isSameStep(one, step)
  const place = draft.findIndex(isSame)
  return place < 0 ? [...draft, step] : draft.map((one) => (isSame(one) ? step : one))
}

/** Like `withStep`, and moves steps that replace another one to the end. */
export function withNoted(draft: Draft, entries: readonly Entry[], step: Step): Draft {
  const isStanding = entries.some((entry) => isSameStep(entry.step, step))
  return withStep(isStanding ? draft : draft.filter((one) => !isSameStep(one, step)), step)
}

type Change = { added: readonly StoredRecord[]; removed: readonly StoredRecord[] }

/** The steps that revert a past change, as far as its records still exist. */
export function stepsBack(records: readonly StoredRecord[], change: Change): Draft {
  const isStored = ({ hash }: StoredRecord) => records.some((record) => record.hash === hash)
  return pairUp(change.removed, change.added).flatMap(({ before: [before], after }): Draft => {
    const key = `back ${before?.hash ?? ''} ${after?.hash ?? ''}`
    if (before && isStored(before)) return []
    if (after && isStored(after))
      return [
        before
          ? { key, kind: 'change', hash: after.hash, record: before }
          : { key, kind: 'remove', hash: after.hash },
      ]
    return before ? [{ key, kind: 'add', record: before, isBeside: !after }] : []
  })
}
