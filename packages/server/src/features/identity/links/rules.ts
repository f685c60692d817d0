import { randomBytes } from 'node:crypto'
import { normaliseMailAddress } from '../../../platform/mail/address.ts'
import { dayMs, hourMs, minuteMs } from '../../../platform/time.ts'
import type { LinkPurpose } from './repository.ts'

/** How long each kind of link is valid. */
const lifetimes: Record<Exclude<LinkPurpose, 'magic_link'>, number> = {
  confirm_email: dayMs,
  change_email: dayMs,
  reset_password: hourMs,
  password_hint: hourMs,
  first_password: 15 * minuteMs,
  exchange: minuteMs,
  undo_records: hourMs,
  // The links work as long as the longest delay lock lasts.
  cancel_change: 3 * dayMs,
  keep_delay: 3 * dayMs,
  end_interest: 90 * dayMs,
  not_me: 3 * dayMs,
  recover_factor: hourMs,
  // The wait of three days, then one week to finish.
  finish_recovery: 10 * dayMs,
  // A gift link works as long as its transfer is open.
  gift: 7 * dayMs,
  hand_over: minuteMs,
}

export const lifetimeOf = (purpose: LinkPurpose, magicLinkMs: number): number =>
  purpose === 'magic_link' ? magicLinkMs : lifetimes[purpose]

/** Whether a user can have several open links of this purpose. */
export const mayHaveSeveral = (purpose: LinkPurpose): boolean =>
  [
    'exchange',
    'undo_records',
    'cancel_change',
    'keep_delay',
    'end_interest',
    'not_me',
    'gift',
    'hand_over',
  ].includes(purpose)

/** Links with which a mailbox objects to what happens in its account. */
export const remedies = ['undo_records', 'not_me', 'cancel_change', 'keep_delay'] as const

export type FormerMailbox = { email: string; since: Date; until: Date }

/** One entry per mailbox: an account may have left it twice. The earliest change comes first. */
export function joinMailboxes(changes: readonly FormerMailbox[]): FormerMailbox[] {
  const joined = new Map<string, FormerMailbox>()
  for (const change of changes) {
    const key = normaliseMailAddress(change.email)
    joined.set(key, { ...(joined.get(key) ?? change), until: change.until })
  }
  return [...joined.values()]
}

export const makeToken = (): string => randomBytes(32).toString('base64url')

/** Filters malformed tokens before the database is read. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)
