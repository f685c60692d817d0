import { refusal, refusalIn } from '../../../platform/errors.ts'
import { quote } from '../../../platform/mail/quote.ts'
import { hourMs } from '../../../platform/time.ts'
import {
  isAddress,
  type KeptRecord,
  marksOf,
  nameAddress,
  recordsAtMost,
  tooManyRecords,
} from '../records/index.ts'
import type { Lock } from './schema.ts'
import type { LockRow, WaitingRow } from './table.ts'

export type Terms = Pick<LockRow, 'hours' | 'next_hours' | 'next_at'>
export type Standing = { lock: LockRow | undefined; waiting: WaitingRow | undefined }
type Change = { before: readonly KeptRecord[]; after: readonly KeptRecord[] }
export type Difference = { removed: string[]; inserted: KeptRecord[] }

/** A public key that receives payments, and the redirect of the page. */
const alsoDelayed = ['0x0101', '0x0004']

/** Whether payers or visitors follow the record. */
const isDelayed = (record: KeptRecord): boolean =>
  isAddress(record) || alsoDelayed.includes(record.tag)

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
 * Raising takes effect at once, lowering after the present delay. Undefined if nothing changes.
 */
export function planLock(
  lock: LockRow | undefined,
  wanted: number,
  now: Date,
): Terms | 'none' | undefined {
  const hours = hoursAt(lock, now)
  const pending = isLowering(lock, now) ? lock.next_hours : null
  if (wanted === (pending ?? hours)) return undefined
  if (wanted >= hours) {
    return wanted === 0 ? 'none' : { hours: wanted, next_hours: null, next_at: null }
  }
  return { hours, next_hours: wanted, next_at: addHours(now, hours) }
}

/**
 * The difference in records that payers follow. Records that keep their order are not part of it,
 * so a pure removal inserts nothing.
 */
export function differenceOf({ before, after }: Change): Difference {
  const previous = before.filter(isDelayed)
  const wanted = after.filter(isDelayed)
  const keptHashes = new Set<string>()
  let place = 0
  for (const { hash } of wanted) {
    const index = previous.findIndex((record, at) => at >= place && record.hash === hash)
    if (index < 0) break
    keptHashes.add(hash)
    place = index + 1
  }
  return {
    removed: previous.filter(({ hash }) => !keptHashes.has(hash)).map(({ hash }) => hash),
    inserted: wanted.slice(keptHashes.size),
  }
}

/** The part of an edit that takes effect now. */
export function withoutDelayed({ before, after }: Change): readonly KeptRecord[] {
  const [previous, wanted] = [before, after].map((all) =>
    all.filter((record) => !isDelayed(record)),
  )
  const nameOf = ({ hash, linked_to }: KeptRecord) => `${hash} ${linked_to}`
  const isSame = String(previous?.map(nameOf)) === String(wanted?.map(nameOf))
  return isSame ? before : [...before.filter(isDelayed), ...(wanted ?? [])]
}

/** The records once a waiting change has taken effect. */
export function applyDifference(
  current: readonly KeptRecord[],
  { removed, inserted }: Difference,
): KeptRecord[] {
  const removedHashes = new Set([...removed, ...inserted.map(({ hash }) => hash)])
  return [...current.filter(({ hash }) => !removedHashes.has(hash)), ...inserted]
}

/** Records that were removed meanwhile do not come back with the waiting change. */
export const without = (
  { removed, inserted }: Difference,
  removedHashes: readonly string[],
): Difference => ({
  removed,
  inserted: inserted.filter(({ hash }) => !removedHashes.includes(hash)),
})

export const toDifference = ({ removed, inserted }: WaitingRow): Difference => ({
  removed,
  inserted: inserted as KeptRecord[],
})

/** Whether both are the same change. */
export const isSame = (one: Difference, other: Difference): boolean =>
  [one, other]
    .map(({ removed, inserted }) => String([...removed, '', ...inserted.map(({ hash }) => hash)]))
    .every((text, _at, [first]) => text === first)

/** The waiting change must still fit when its time comes. */
export function assertFits(now: readonly KeptRecord[], waiting: Difference): void {
  if (applyDifference(now, waiting).length > recordsAtMost) throw tooManyRecords()
}

/** For mails to the owner. */
export const describeDifference = (
  current: readonly KeptRecord[],
  { removed, inserted }: Difference,
) => [
  ...current.filter(({ hash }) => removed.includes(hash)).map((one) => `${nameOf(one)} is removed`),
  ...inserted.map((one) => `${nameOf(one)} is added`),
]

/** The site of a redirect, without a scheme, so that mail programs do not make a link of it. */
const siteOf = (address: string): string =>
  quote((URL.canParse(address) ? new URL(address).host : address).replaceAll('.', ' . '))

function nameOf(record: KeptRecord): string {
  if (record.tag === '0x0004') return `the redirect to ${siteOf(record.data)}`
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
  waiting: WaitingRow | undefined,
  { reader, people, current, now }: Reader & { now: Date },
): Lock {
  const pending = isLowering(lock, now) ? lock : undefined
  return {
    hours: hoursAt(lock, now),
    next_hours: pending?.next_hours ?? null,
    next_at: pending?.next_at ?? null,
    waiting: waiting ? showWaiting(waiting, { reader, people, current }) : null,
  }
}

function showWaiting(waiting: WaitingRow, { reader, people, current }: Reader) {
  const { actor_id, asked_at, changes_at } = waiting
  const { removed, inserted } = toDifference(waiting)
  const bare = ({ tag, data, hash }: KeptRecord) => ({ tag, data, hash })
  const others = people.includes(actor_id ?? '') ? ('colleague' as const) : ('other' as const)
  return {
    asked_at,
    changes_at,
    by: actor_id === reader ? ('you' as const) : others,
    removed: current.filter(({ hash }) => removed.includes(hash)).map(bare),
    added: inserted.map(bare),
  }
}

const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})
/** Formats a time for mails and pages. */
export const formatTime = (time: Date): string => `${moment.format(time)} UTC`

export const waitingChange = (changes_at: Date) =>
  refusal(
    'refused',
    'waiting_change',
    `A change of payment addresses is planned for ${changes_at.toISOString()}. Cancel it first, or wait until it takes effect.`,
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
    `This id has a delay lock of ${inHours(hours)}. Switch it off before you release the id; that takes as long.`,
  )
