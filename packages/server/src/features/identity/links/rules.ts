import { createHash, randomBytes } from 'node:crypto'
import type { LinkPurpose } from './table.ts'

const minute = 60_000
const day = 24 * 60 * minute

/** How long each may be used. */
const lifetimes: Record<Exclude<LinkPurpose, 'magic_link'>, number> = {
  confirm_email: 24 * 60 * minute,
  change_email: 24 * 60 * minute,
  reset_password: 60 * minute,
  first_password: 15 * minute,
  exchange: minute,
  undo_records: 60 * minute,
  // As long as the longest wait.
  cancel_change: 3 * day,
  keep_delay: 3 * day,
  end_interest: 90 * day,
  not_me: 3 * day,
  recover_factor: 60 * minute,
  // The wait of three days, and a week to come back.
  finish_recovery: 10 * day,
}

export const lifetimeOf = (purpose: LinkPurpose, magicLinkMs: number): number =>
  purpose === 'magic_link' ? magicLinkMs : lifetimes[purpose]

/** Of these several may be open at once. */
export const isOneOfMany = (purpose: LinkPurpose): boolean =>
  ['exchange', 'undo_records', 'cancel_change', 'keep_delay', 'end_interest', 'not_me'].includes(
    purpose,
  )

export const makeToken = (): string => randomBytes(32).toString('base64url')

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()

/** What cannot be a token is not looked for. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)
