import { randomBytes } from 'node:crypto'
import { dayMs, hourMs, minuteMs } from '../../../platform/time.ts'
import type { LinkPurpose } from './table.ts'

/** How long each may be used. */
const lifetimes: Record<Exclude<LinkPurpose, 'magic_link'>, number> = {
  confirm_email: dayMs,
  change_email: dayMs,
  reset_password: hourMs,
  first_password: 15 * minuteMs,
  exchange: minuteMs,
  undo_records: hourMs,
  // As long as the longest wait.
  cancel_change: 3 * dayMs,
  keep_delay: 3 * dayMs,
  end_interest: 90 * dayMs,
  not_me: 3 * dayMs,
  recover_factor: hourMs,
  // The wait of three days, and a week to come back.
  finish_recovery: 10 * dayMs,
}

export const lifetimeOf = (purpose: LinkPurpose, magicLinkMs: number): number =>
  purpose === 'magic_link' ? magicLinkMs : lifetimes[purpose]

/** Of these several may be open at once. */
export const isOneOfMany = (purpose: LinkPurpose): boolean =>
  ['exchange', 'undo_records', 'cancel_change', 'keep_delay', 'end_interest', 'not_me'].includes(
    purpose,
  )

export const makeToken = (): string => randomBytes(32).toString('base64url')

/** What cannot be a token is not looked for. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)
