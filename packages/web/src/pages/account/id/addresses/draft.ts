import { merkleRoot, parseTag, recordHash } from '@emojid/core'
import type { NewRecord, StoredRecord } from '../../../../api/records.ts'
import { isRival, type Pair, pairUp } from '../../../../records/diff.ts'

/** Something that somebody wants changed, before it is saved. */
export type Step = { key: string } & (
  | { kind: 'add'; record: NewRecord; isBeside: boolean }
  | { kind: 'change'; hash: string; record: NewRecord }
  | { kind: 'remove'; hash: string }
)
export type Draft = readonly Step[]

/** What a step does to the records that are there now. */
export type Entry = Pair & { step: Step }

let made = 0
/** Names a step that is about no record yet. */
export const newKey = (): string => `new ${++made}`

const hashOf = ({ tag, data }: NewRecord): string => recordHash(parseTag(tag), data)

/** What is left to do, as the records are now: others may have changed them meanwhile. */
export function planOf(records: readonly StoredRecord[], draft: Draft): Entry[] {
  const touched = new Set(draft.flatMap((step) => (step.kind === 'add' ? [] : step.hash)))
  const gone = new Set<string>()
  const entries = draft.map((step): Entry => {
    const own = step.kind === 'add' ? undefined : records.find(({ hash }) => hash === step.hash)
    if (step.kind === 'remove') return { step, before: own ? [own] : [] }
    const isBeside = step.kind === 'add' && step.isBeside
    const rivals = records.filter(
      (record) =>
        !touched.has(record.hash) && !gone.has(record.hash) && isRival(record, step.record),
    )
    const before = own ? [own] : isBeside ? [] : rivals
    for (const { hash } of before) gone.add(hash)
    return { step, before, after: step.record }
  })
  return entries.filter((entry) => doesSomething(records, entry))
}

function doesSomething(records: readonly StoredRecord[], { before, after }: Entry): boolean {
  if (!after) return before.length > 0
  const hash = hashOf(after)
  return !records.some((record) => record.hash === hash)
}

/**
 * One request for all of it. Everything that goes is named, and the root over what shall be there
 * then: should somebody have changed anything meanwhile, it is refused.
 */
export function editOf(records: readonly StoredRecord[], entries: readonly Entry[]) {
  const remove = entries.flatMap(({ before }) => before.map(({ hash }) => hash))
  const insert = entries.flatMap(({ after }) => after ?? [])
  const kept = records.map(({ hash }) => hash).filter((hash) => !remove.includes(hash))
  return {
    ...{ insert, delete: remove, bypass_single_restrictions: true },
    merkle_root: merkleRoot([...kept, ...insert.map(hashOf)]),
  }
}

/** A step takes the place of the one that was about the same record. */
export const withStep = (draft: Draft, step: Step): Draft => {
  const isSame = (one: Step) =>
    one.key === step.key || (one.kind !== 'add' && step.kind !== 'add' && one.hash === step.hash)
  const place = draft.findIndex(isSame)
  return place < 0 ? [...draft, step] : draft.map((one) => (isSame(one) ? step : one))
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
