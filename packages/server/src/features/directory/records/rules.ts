import { refusal, refusalIn } from '../../../platform/errors.ts'
import { hourMs } from '../../../platform/time.ts'
import type { Record } from './schema.ts'

const recordsAtMost = 200
/** In bytes of the JSON text of all records of an id. */
const recordBytesAtMost = 64 * 1024
const bytesAfterUndoAtMost = 2 * recordBytesAtMost
/** An undo is limited by bytes alone: the shortest record has 101 of them, more than its hash. */
export const recordsAfterUndoAtMost = Math.floor(bytesAfterUndoAtMost / 101)
/** The newest states of an id that keep their records; older ones keep only a hash. */
export const fullStates = 100
/** Longer than an undo link is valid: it compares states. */
export const undoableMs = 2 * hourMs

/** A record, with the key of its store entry if it came with one. */
export type KeptRecord = Record & { linked_to?: string }

type Links = { [hash: string]: string }

export const withLinks = (records: readonly Record[], linkedLinks: Links): KeptRecord[] =>
  records.map((record) => {
    const linked_to = linkedLinks[record.hash]
    return linked_to === undefined ? record : { ...record, linked_to }
  })

/** Splits records into the JSON text that lookups return and their links. */
export function toRow(recordList: readonly KeptRecord[]): { records: string; linked: string } {
  const records = recordList.map(({ linked_to: _linked, ...record }) => record)
  const links = recordList.flatMap(({ hash, linked_to }) => (linked_to ? [[hash, linked_to]] : []))
  return { records: JSON.stringify(records), linked: JSON.stringify(Object.fromEntries(links)) }
}

/** After an undo, an id with more records can replace or delete them, but not get more. */
export function assertCount(before: readonly KeptRecord[], after: readonly KeptRecord[]): void {
  if (after.length > Math.max(recordsAtMost, before.length)) throw tooManyRecords()
}

/** Records that exceed the limit after an undo stay as they are until an edit makes them smaller. */
export function assertSize(
  before: readonly KeptRecord[],
  after: readonly KeptRecord[],
  atMost = recordBytesAtMost,
): void {
  const bytes = bytesOf(after)
  if (bytes > atMost && bytes >= bytesOf(before)) throw tooLargeRecords()
}

/** An undo restores addresses beside records that came since, so it may exceed the limit. */
export const assertSizeOfUndo = (
  before: readonly KeptRecord[],
  after: readonly KeptRecord[],
): void => assertSize(before, after, bytesAfterUndoAtMost)

const bytesOf = (records: readonly KeptRecord[]): number =>
  Buffer.byteLength(toRow(records).records)

const auditedRecords = 20

/** A change for the audit log: the records are in the history, so their hashes are enough. */
export const auditedChange = (change: {
  inserted: readonly Record[]
  removed: readonly string[]
}) => ({
  inserted: change.inserted.slice(0, auditedRecords).map(({ tag, hash }) => ({ tag, hash })),
  inserted_count: change.inserted.length,
  removed: change.removed.slice(0, auditedRecords),
  removed_count: change.removed.length,
})

/** The due change of the id could not be applied. */
export const restless = () =>
  refusal('unavailable', 'restless', 'This id is being changed right now. Try again shortly.', {
    retry_after_seconds: 1,
  })

export const tooLargePage = () =>
  refusalIn(
    'limit',
    'refused',
    'too_large_page',
    'These changes are too large for one page. Request fewer with limit.',
  )

const tooLargeRecords = () =>
  refusal(
    'refused',
    'too_large_records',
    'All records of an id can have at most 65,536 bytes as JSON, including those of a waiting change. Remove some records, or shorten them.',
  )

const tooManyRecords = () =>
  refusal(
    'refused',
    'too_many_records',
    `An id has at most ${recordsAtMost} records, including those of a waiting change.`,
  )
