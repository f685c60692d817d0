import { createHash, createHmac, randomBytes } from 'node:crypto'
import { ServiceError } from '../../platform/errors.ts'

const second = 1_000
const day = 24 * 60 * 60 * second
export const accessLastsMs = 900 * second
const slidingMs = 31 * day
const absoluteMs = 180 * day
/** Clients refresh without waiting for each other: within this time a repeat gets the same answer. */
const graceMs = 60 * second

export const makeRefreshToken = (): string => `rt_${randomBytes(32).toString('base64url')}`

/** The next token follows from the one before, so that nobody has to keep it to say it again. */
export const successorOf = (token: string, key: Buffer): string =>
  `rt_${createHmac('sha256', key).update(token).digest('base64url')}`

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
export const isRefreshToken = (text: string): boolean => /^rt_[\w-]{43}$/.test(text)

export const sessionEnd = (now: Date): Date => new Date(now.getTime() + absoluteMs)
export const tokenEnd = (now: Date, session: { expires_at: Date }): Date =>
  new Date(Math.min(now.getTime() + slidingMs, session.expires_at.getTime()))

export const isWithinGrace = (rotated_at: Date, now: Date): boolean =>
  now.getTime() - rotated_at.getTime() <= graceMs

const longestUserAgent = 300
export const shownUserAgent = (header: string | undefined): string | null =>
  header?.replace(/[^\x20-\x7e]/g, '').slice(0, longestUserAgent) || null

export class InvalidRefreshTokenError extends ServiceError {
  override readonly name = 'Sessions.InvalidRefreshTokenError'
  constructor() {
    super('unauthenticated', 'invalid_refresh_token', 'This session is over. Log in again.')
  }
}

export class UnknownSessionError extends ServiceError {
  override readonly name = 'Sessions.UnknownSessionError'
  constructor() {
    super('not_found', 'unknown_session', 'You have no such session.')
  }
}
