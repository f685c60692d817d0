import { byRecency, readPaymentAddress, type Tag, tagClass, tagInfo } from '@emojid/core'
import { isOneWord, quote } from '../../../platform/mail/quote.ts'
import type { KeptRecord } from './rules.ts'
import type { Record } from './schema.ts'

/** Whether the record is a payment address. */
export const isAddress = ({ tag }: Record): boolean =>
  tagClass(tag as Tag) === 'crypto' ||
  tagInfo(tag as Tag)?.payment === true ||
  /^0x6[23]00$/.test(tag)

/** Comparing two states of an id asks for the name of each record several times. */
const namesOfRecords = new WeakMap<Record, string>()

/**
 * Describes an address and its currency without other text of the record. A free-text address may
 * reach strangers by email: it is quoted and identified by its hash.
 */
export function nameAddress(record: Record): string {
  const name = namesOfRecords.get(record) ?? describeAddress(record)
  namesOfRecords.set(record, name)
  return name
}

function describeAddress({ tag, data, hash }: Record): string {
  const info = tagInfo(tag as Tag)
  const read = readPaymentAddress({ tag: tag as Tag, data })
  const isFree = ['text', 'ticker_address', 'token'].includes(info?.data_form ?? '')
  const quoteIfNeeded = (text: string) => (isFree && !isOneWord(text) ? quote(text) : text)
  const isCut = (text = '') => ![text, `“${text}”`].includes(quoteIfNeeded(text))
  const currency = read.short_name
    ? quoteIfNeeded(read.short_name)
    : (info?.ticker ?? info?.name ?? tag)
  const network = read.settlement_network ? ` on ${quoteIfNeeded(read.settlement_network)}` : ''
  const named = `${currency}${network} ${quoteIfNeeded(read.address)}`
  const isSame = ![read.short_name, read.settlement_network, read.address].some(isCut)
  return isSame ? named : `${named} (record ${hash.slice(0, 10)})`
}

/** Describes the label and the default mark of an address; empty without either. */
export function marksOf({ tag, data }: Record): string {
  const { description, default: isDefault } = readPaymentAddress({ tag: tag as Tag, data })
  const label = description ? [`labelled ${quote(description)}`] : []
  return [...label, ...(isDefault ? ['the default'] : [])].join(' and ')
}

type StateRow = {
  version: number
  changed_at: Date
  actor_id: string | null
  undoes: number | null
  records_sha256: string | null
  /** Undefined for a state of which only the hash is kept. */
  records: readonly Record[] | undefined
  before: readonly Record[] | undefined
}

/** One change for the owners of the id: removed and added records, and the author. */
export function showChange(row: StateRow, reader: string, people: readonly string[]) {
  const is_kept = row.before !== undefined && row.records !== undefined
  const before = (is_kept && row.before) || []
  const after = (is_kept && row.records) || []
  return {
    version: row.version,
    changed_at: row.changed_at,
    undoes: row.undoes,
    by: actorOf(row.actor_id, reader, people),
    is_kept,
    ...(row.records_sha256 ? { records_sha256: row.records_sha256 } : {}),
    removed: recordsOnlyIn(before, after),
    added: recordsOnlyIn(after, before),
    reordered: isReordered(before, after),
  }
}

/** The records of a set that another set lacks. */
export function recordsOnlyIn<One extends { hash: string }>(
  some: readonly One[],
  others: readonly One[],
): One[] {
  const knownHashes = new Set(others.map(({ hash }) => hash))
  return some.filter(({ hash }) => !knownHashes.has(hash))
}

/** The categories whose records, or their order, differ. */
export function changedTags(before: readonly Record[], after: readonly Record[]): string[] {
  const [old, current] = [hashesByTag(before), hashesByTag(after)]
  const tags = [...new Set([...old.keys(), ...current.keys()])].sort()
  return tags.filter((tag) => old.get(tag) !== current.get(tag))
}

function hashesByTag(records: readonly Record[]): Map<string, string> {
  const hashes = new Map<string, string>()
  for (const { tag, hash, recent = '' } of records)
    hashes.set(tag, `${hashes.get(tag) ?? ''} ${hash} ${recent}`)
  return hashes
}

type Ordered = { hash: string; recent?: number }

/** Whether the records that stay have another order, in the list or for payments. */
export const isReordered = (before: readonly Ordered[], after: readonly Ordered[]): boolean =>
  haveOtherPlaces(before, after) || haveOtherPlaces(byRecency(before), byRecency(after))

function haveOtherPlaces(before: readonly Ordered[], after: readonly Ordered[]): boolean {
  const removedRecords = new Set(recordsOnlyIn(before, after))
  const addedRecords = new Set(recordsOnlyIn(after, before))
  const stayed = after.filter((record) => !addedRecords.has(record))
  return before
    .filter((record) => !removedRecords.has(record))
    .some(({ hash }, place) => stayed[place]?.hash !== hash)
}

/** Puts records into the places of others, in order; the rest comes last. */
export function fillPlaces(
  records: readonly KeptRecord[],
  isPlace: (record: KeptRecord) => boolean,
  fillers: readonly KeptRecord[],
): KeptRecord[] {
  const remainingRecords = [...fillers]
  const filledRecords = records.flatMap((record) =>
    isPlace(record) ? remainingRecords.splice(0, 1) : [record],
  )
  return [...filledRecords, ...remainingRecords]
}

function actorOf(actor_id: string | null, reader: string, people: readonly string[]) {
  if (actor_id === null) return 'directory' as const
  if (actor_id === reader) return 'you' as const
  return people.includes(actor_id) ? ('colleague' as const) : ('other' as const)
}
