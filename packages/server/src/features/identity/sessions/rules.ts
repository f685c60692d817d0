import {
  chainEnd,
  tokenEnd,
  tokenRow,
  tokensNamed,
} from '../../../platform/crypto/refresh-tokens.ts'
import { refusal } from '../../../platform/errors.ts'
import { dayMs, minuteMs } from '../../../platform/time.ts'
import type { SessionKind, SiteName } from './repository.ts'

/** The precision of the last use of a session. */
export const lastUsePrecisionMs = minuteMs
export const accessLastsMs = 900_000
/** Opening another session ends those that were not used for longest. */
export const openSessionsAtMost = 100
/** How long a sign-in counts as recent. */
export const recentLoginMs = 15 * minuteMs
/** How long a session of our sites lasts. */
const siteSessionMs: Record<SiteName, number> = { authorization: 14 * dayMs, web: 31 * dayMs }

export const refreshTokens = tokensNamed('rt')
const tokens = { device: refreshTokens, authorization: tokensNamed('as'), web: tokensNamed('ws') }
/** Refresh tokens of devices, or the handles in the cookies of our sites. */
export const tokensOf = (kind: SessionKind) => tokens[kind]

/** The latest end of a session; use does not extend it. */
export function sessionEnd(kind: SessionKind, now: Date, latest?: Date): Date {
  const end = kind === 'device' ? chainEnd(now) : new Date(now.getTime() + siteSessionMs[kind])
  return latest && latest < end ? latest : end
}

type StoredSession = { id: string; kind: SessionKind; expires_at: Date }

/** The row of a token of a session. */
export const newToken = (token: string, now: Date, session: StoredSession) => ({
  ...tokenRow(token, now, session.kind === 'device' ? tokenEnd(now, session) : session.expires_at),
  session_id: session.id,
})

const longestUserAgent = 300
export const shownUserAgent = (header: string | undefined): string | null =>
  header?.replace(/[^\x20-\x7e]/g, '').slice(0, longestUserAgent) || null

export const invalidRefreshToken = () =>
  refusal('unauthenticated', 'invalid_refresh_token', 'Your session has expired. Sign in again.')

export const unknownSession = () =>
  refusal('not_found', 'unknown_session', 'You have no session with this id.')
