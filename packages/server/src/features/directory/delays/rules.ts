import { tagUse, withoutRecency } from '@emojid/core'
import { refusal, refusalIn } from '../../../platform/errors.ts'
import { quote } from '../../../platform/mail/quote.ts'
import { hourMs } from '../../../platform/time.ts'
import {
  assertCount,
  assertSize,
  fillPlaces,
  isAddress,
  isReordered,
  type KeptRecord,
  marksOf,
  nameAddress,
  recordsOnlyIn,
} from '../records/records.ts'
import type { LockRow, WaitingRow } from './repository.ts'
import type { Lock } from './schema.ts'

export type Terms = Pick<LockRow, 'hours' | 'next_hours' | 'next_at'>
export type Standing = {
  lock: LockRow | undefined
  waiting: WaitingRow | undefined
  record_bytes: number
}
type Change = { before: readonly KeptRecord[]; after: readonly KeptRecord[] }
export type Difference = {
  removed: string[]
  inserted: KeptRecord[]
  /** The hashes of the records that payers follow, in order; null in changes from before it existed. */
  places: string[] | null
  /** Their recency, by hash; null likewise. */
  recency: { [hash: string]: number } | null
}

/** Whether payers or visitors follow the record. */
const isDelayed = (record: KeptRecord): boolean =>
  isAddress(record) || tagUse(record.tag).delayed === true

/** The current delay in hours; 0 is off. */
export function hoursAt(lock: Terms | undefined, now: Date): number {
  if (!lock) return 0
  const { hours, next_hours, next_at } = lock
  return next_at && next_at <= now ? (next_hours ?? 0) : hours
}

export const isLowering = (lock: Terms | undefined, now: Date): lock is LockRow =>
  lock?.next_at ? lock.next_at > now : false

export const addHours = (now: Date, hours: number): Date => new Date(now.getTime() + hours * hourMs)

/**
 * Raising takes effect immediately, lowering after the current delay. Undefined if nothing changes.
 */
export function planLock(
  lock: LockRow | undefined,
  newHours: number,
  now: Date,
): Terms | 'none' | undefined {
  const hours = hoursAt(lock, now)
  const pending = isLowering(lock, now) ? lock.next_hours : null
  if (newHours === (pending ?? hours)) return undefined
  if (newHours >= hours) {
    return newHours === 0 ? 'none' : { hours: newHours, next_hours: null, next_at: null }
  }
  return { hours, next_hours: newHours, next_at: addHours(now, hours) }
}

/** The difference in records that payers follow, and their order after it. */
export function differenceOf({ before, after }: Change): Difference {
  const previous = before.filter(isDelayed)
  const next = after.filter(isDelayed)
  return {
    removed: recordsOnlyIn(previous, next).map(({ hash }) => hash),
    inserted: recordsOnlyIn(next, previous),
    places: next.map(({ hash }) => hash),
    recency: Object.fromEntries(
      next.flatMap(({ hash, recent }) => (recent === undefined ? [] : [[hash, recent]])),
    ),
  }
}

/** New records wait, and so does another order: it can decide which one is paid. */
export const mustWait = ({ before, after }: Change, { inserted }: Difference): boolean =>
  inserted.length > 0 || isReordered(before.filter(isDelayed), after.filter(isDelayed))

/**
 * Refuses an explicit order that contradicts the planned one, which would silently replace it later.
 */
export function assertPlannedOrder({ waiting }: Standing, { before, after }: Change): void {
  if (!waiting) return
  const plannedRecords = newOrder(before, toDifference(waiting))
  if (plannedRecords && isReordered(after.filter(isDelayed), plannedRecords)) {
    throw waitingChange(waiting.changes_at)
  }
}

/** The part of an edit that takes effect now. */
export function withoutDelayed({ before, after }: Change): readonly KeptRecord[] {
  const [previous, next] = [before, after].map((all) => all.filter((record) => !isDelayed(record)))
  const nameOf = ({ hash, linked_to }: KeptRecord) => `${hash} ${linked_to}`
  const isSame = String(previous?.map(nameOf)) === String(next?.map(nameOf))
  return isSame ? before : fillPlaces(after, isDelayed, before.filter(isDelayed))
}

/** The records once a waiting change has taken effect. */
export function applyDifference(
  current: readonly KeptRecord[],
  { removed, inserted, places, recency }: Difference,
): KeptRecord[] {
  const stayingRecords = current.filter((one) => isDelayed(one) && !removed.includes(one.hash))
  const records = new Map([...stayingRecords, ...inserted].map((one) => [one.hash, one]))
  const orderedRecords = (places ?? []).flatMap((hash) => {
    const record = records.get(hash)
    records.delete(hash)
    return record ?? []
  })
  const delayed = [...orderedRecords, ...records.values()]
  return fillPlaces(current, isDelayed, recency ? delayed.map(withRecency(recency)) : delayed)
}

const withRecency = (recency: { [hash: string]: number }) => (record: KeptRecord) => {
  const recent = recency[record.hash]
  return recent === undefined ? withoutRecency(record) : { ...record, recent }
}

/** Records that were removed meanwhile do not come back with the waiting change. */
export const without = (
  { removed, inserted, places, recency }: Difference,
  removedHashes: readonly string[],
): Difference => ({
  removed,
  recency,
  inserted: inserted.filter(({ hash }) => !removedHashes.includes(hash)),
  places: places?.filter((hash) => !removedHashes.includes(hash)) ?? null,
})

export const toDifference = ({ removed, inserted, places, recency }: WaitingRow): Difference => ({
  removed,
  inserted: inserted as KeptRecord[],
  places,
  recency,
})

/** Whether both are the same change. */
export const isSame = (one: Difference, other: Difference): boolean =>
  [one, other]
    .map(({ removed, inserted, places, recency }) =>
      JSON.stringify([
        removed,
        inserted.map(({ hash }) => hash),
        places,
        Object.entries(recency ?? {}).toSorted(),
      ]),
    )
    .every((text, _at, [first]) => text === first)

/** The records until the waiting change takes effect, and those after it, must fit. */
export function assertFits(
  before: readonly KeptRecord[],
  now: readonly KeptRecord[],
  waitingDifference: Difference,
): void {
  const planned = applyDifference(now, waitingDifference)
  assertCount(before, now)
  assertCount(before, planned)
  if (now !== before) assertSize(before, now)
  assertSize(before, planned)
}

/** For emails to the owner. */
export function describeDifference(current: readonly KeptRecord[], difference: Difference) {
  const { removed, inserted } = difference
  const orderedRecords = newOrder(current, difference)
  return [
    ...current
      .filter(({ hash }) => removed.includes(hash))
      .map((one) => `${nameOf(one)} is removed`),
    ...inserted.map((one) => `${nameOf(one)} is added`),
    ...(orderedRecords ? [`the order becomes: ${orderedRecords.map(nameOf).join(', then ')}`] : []),
  ]
}

/** The records that payers follow in their new order; undefined if the order stays. */
function newOrder(current: readonly KeptRecord[], difference: Difference) {
  const after = applyDifference(current, difference).filter(isDelayed)
  return isReordered(current.filter(isDelayed), after) ? after : undefined
}

/** The site of a redirect, without a scheme, so that email programs do not make a link of it. */
const siteOf = (address: string): string =>
  quote((URL.canParse(address) ? new URL(address).host : address).replaceAll('.', ' . '))

function nameOf(record: KeptRecord): string {
  if (tagUse(record.tag).shown === 'redirect') return `the redirect to ${siteOf(record.data)}`
  const marks = isAddress(record) ? marksOf(record) : ''
  return marks ? `${nameAddress(record)} (${marks})` : nameAddress(record)
}

const inHours = (hours: number): string => (hours === 1 ? '1 hour' : `${hours} hours`)

export const raisedSentence = (id: string, hours: number): string =>
  `From now on, changes of the payment addresses of ${id} take effect after ${inHours(hours)}. Shortening or removing this delay takes just as long.`

export const describeLowering = (hours: number, next_hours: number | null): string[] => [
  next_hours ? `it changes to ${inHours(next_hours)}` : 'it is switched off',
  `it is ${inHours(hours)} now`,
]

export const keptSentence = (id: string, hours: number): string =>
  hours > 0
    ? `The delay lock of ${id} stays the same: changes of its payment addresses take effect after ${inHours(hours)}.`
    : `The emoji id ${id} still has no delay lock: changes of its payment addresses take effect immediately.`

type Reader = { reader: string; people: readonly string[]; current: readonly KeptRecord[] }

export function showLock(
  lock: LockRow | undefined,
  waitingChange: WaitingRow | undefined,
  { reader, people, current, now }: Reader & { now: Date },
): Lock {
  const pending = isLowering(lock, now) ? lock : undefined
  return {
    hours: hoursAt(lock, now),
    next_hours: pending?.next_hours ?? null,
    next_at: pending?.next_at ?? null,
    waiting: waitingChange ? showWaiting(waitingChange, { reader, people, current }) : null,
  }
}

function showWaiting(waitingChange: WaitingRow, { reader, people, current }: Reader) {
  const { actor_id, asked_at, changes_at } = waitingChange
  const difference = toDifference(waitingChange)
  const { removed, inserted } = difference
  const toBareRecord = ({ tag, data, hash }: KeptRecord) => ({ tag, data, hash })
  const others = people.includes(actor_id ?? '') ? ('colleague' as const) : ('other' as const)
  return {
    asked_at,
    changes_at,
    by: actor_id === reader ? ('you' as const) : others,
    removed: current.filter(({ hash }) => removed.includes(hash)).map(toBareRecord),
    added: inserted.map(toBareRecord),
    order: newOrder(current, difference)?.map(toBareRecord) ?? null,
  }
}

const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})
/** Formats a time for emails and pages. */
export const formatTime = (time: Date): string => `${moment.format(time)} UTC`

export const waitingChange = (changes_at: Date) =>
  refusal(
    'refused',
    'waiting_change',
    `A change of payment addresses waits until ${changes_at.toISOString()}. Cancel it first, or wait until it takes effect.`,
  )

export const signedMix = () =>
  refusalIn(
    'signature',
    'refused',
    'signed_mix',
    'This id has a delay lock. Send changes of payment addresses and of other records as two signed edits.',
  )

export const nothingWaits = () =>
  refusal(
    'refused',
    'nothing_waits',
    'No change is waiting. It took effect, was cancelled, or the id is not yours.',
  )

export const lockedError = (hours: number) =>
  refusalIn(
    'emoji_id',
    'refused',
    'delay_locked',
    `This id has a delay lock of ${inHours(hours)}. Turn the lock off and wait until that takes effect, then release the id.`,
  )
