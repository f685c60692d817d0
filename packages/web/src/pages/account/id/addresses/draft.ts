import { merkleRoot, parseTag, recordHash } from '@emojid/core'
import type { NewRecord, StoredRecord } from '../../../../api/records.ts'
import { isRival, type Pair, pairUp } from '../../../../records/diff.ts'

/** Something that somebody wants changed, before it is saved. */
export type Step = { key: string } & (
  | { kind: 'add'; record: NewRecord; isBeside: boolean }
  | { kind: 'change'; hash: string; record: NewRecord; isBeside?: boolean }
  | { kind: 'remove'; hash: string }
)
/** A step after which something is there. */
type Setting = Exclude<Step, { kind: 'remove' }>
export type Draft = readonly Step[]

/** What a step does to the records that are there now. */
export type Entry = Pair & { step: Step }

let made = 0
/** Names a step that is about no record yet. */
export const newKey = (): string => `new ${++made}`

const hashOf = ({ tag, data }: NewRecord): string => recordHash(parseTag(tag), data)

/** What is left to do, as the records are now: others may have changed them meanwhile. */
export function planOf(records: readonly StoredRecord[], draft: Draft): Entry[] {
  const removed = new Set(draft.flatMap((step) => (step.kind === 'remove' ? step.hash : [])))
  const open = records.filter(({ hash }) => !removed.has(hash))
  let entries: Entry[] = []
  for (const step of draft) {
    if (step.kind === 'remove')
      entries.push({ step, before: records.filter(({ hash }) => hash === step.hash) })
    else if (!isIdle(open, step)) entries = withEntry(open, entries, step)
  }
  return entries
    .map((entry) => withoutWhatIsThere(records, entry))
    .filter(({ before, after }) => after || before.length > 0)
}

/** A change to what is there already. */
const isIdle = (records: readonly StoredRecord[], step: Setting): boolean =>
  step.kind === 'change' &&
  records.some(({ hash }) => hash === step.hash && hash === hashOf(step.record))

/**
 * Who says something twice means the last: a step takes the place of earlier ones that say the same
 * kind of thing, with all that they take away, unless both are to be kept.
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
  const replaced = earlier.filter(isReplaced)
  const standing = earlier
    .filter((entry) => !replaced.includes(entry))
    .map((entry) => ({ ...entry, before: entry.before.filter(({ hash }) => hash !== own?.hash) }))
  const rivals = records.filter(
    (record) => isRival(record, step.record) && !standing.some((entry) => takesAway(entry, record)),
  )
  const taken = [
    ...(own ? [own] : step.isBeside ? [] : rivals),
    ...replaced.flatMap(({ before }) => before),
  ]
  return [...standing, { step, before: [...new Set(taken)], after: step.record }]
}

/** Somebody else may have written just what was wanted. */
function withoutWhatIsThere(records: readonly StoredRecord[], entry: Entry): Entry {
  const { after, before } = entry
  const hash = after && hashOf(after)
  if (!records.some((record) => record.hash === hash)) return entry
  return { ...entry, before: before.filter((record) => record.hash !== hash), after: undefined }
}

/** The records as they are once it is saved, in the order in which they came. */
export function outcomeOf(
  records: readonly StoredRecord[],
  entries: readonly Entry[],
): StoredRecord[] {
  const gone = new Set(entries.flatMap(({ before }) => before.map(({ hash }) => hash)))
  const added = entries.flatMap(({ after }) => after ?? [])
  return [
    ...records.filter(({ hash }) => !gone.has(hash)),
    ...added.map((record) => ({ ...record, hash: hashOf(record) })),
  ]
}

/**
 * One request for all of it. Everything that goes is named, and the root over what shall be there
 * then: should somebody have changed anything meanwhile, it is refused. Nothing else may be replaced
 * by the service itself: that would be what somebody else has written and nobody has seen here.
 */
export function editOf(records: readonly StoredRecord[], entries: readonly Entry[]) {
  const insert = entries.flatMap(({ after }) => after ?? [])
  const outcome = outcomeOf(records, entries)
  return {
    insert,
    delete: entries.flatMap(({ before }) => before.map(({ hash }) => hash)),
    bypass_single_restrictions: true,
    merkle_root: merkleRoot(outcome.map(({ hash }) => hash)),
  }
}

const isSameStep = (one: Step, other: Step): boolean =>
  one.key === other.key || (one.kind !== 'add' && other.kind !== 'add' && one.hash === other.hash)

/** A step takes the place of the one that was about the same record. */
export const withStep = (draft: Draft, step: Step): Draft => {
  const isSame = (one: Step) => isSameStep(one, step)
  const place = draft.findIndex(isSame)
  return place < 0 ? [...draft, step] : draft.map((one) => (isSame(one) ? step : one))
}

/** As above; what another step has taken the place of comes last, as said anew. */
export function withNoted(draft: Draft, entries: readonly Entry[], step: Step): Draft {
  const isStanding = entries.some((entry) => isSameStep(entry.step, step))
  return withStep(isStanding ? draft : draft.filter((one) => !isSameStep(one, step)), step)
}

type Change = { added: readonly StoredRecord[]; removed: readonly StoredRecord[] }

/** The steps that take a change of the past back, as far as it is still there. */
export function stepsBack(records: readonly StoredRecord[], change: Change): Draft {
  const isThere = ({ hash }: StoredRecord) => records.some((record) => record.hash === hash)
  return pairUp(change.removed, change.added).flatMap(({ before: [before], after }): Draft => {
    const key = `back ${before?.hash ?? ''} ${after?.hash ?? ''}`
    if (before && isThere(before)) return []
    if (after && isThere(after))
      return [
        before
          ? { key, kind: 'change', hash: after.hash, record: before }
          : { key, kind: 'remove', hash: after.hash },
      ]
    return before ? [{ key, kind: 'add', record: before, isBeside: !after }] : []
  })
}
