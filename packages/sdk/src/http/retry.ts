import { NetworkError, RefusedError } from '../errors.ts'

const shortestMs = 200
const longestMs = 5_000
/** Rate limited, or temporarily unavailable. */
const passing = [429, 502, 503, 504]

/** Doubles with every attempt, up to five seconds. */
export function backOffBefore(attempt: number, random = Math.random): number {
  const most = Math.min(longestMs, shortestMs * 2 ** attempt)
  return most / 2 + (random() * most) / 2
}

/**
 * The wait before a retry; undefined if a retry does not help. Random jitter spreads the retries of
 * many clients.
 */
export function waitBefore(
  error: unknown,
  attempt: number,
  { longestWaitMs, random = Math.random }: { longestWaitMs: number; random?: () => number },
): number | undefined {
  const most = Math.min(longestMs, shortestMs * 2 ** attempt)
  const backOff = backOffBefore(attempt, random)
  if (error instanceof NetworkError) return backOff
  if (!(error instanceof RefusedError) || !mayPass(error)) return undefined
  const { retryAfterMs } = error
  if (retryAfterMs === undefined) return backOff
  return retryAfterMs > longestWaitMs ? undefined : retryAfterMs + (random() * most) / 2
}

/** The first request with the same Idempotency-Key may still be in progress. */
const mayPass = ({ status, reason }: RefusedError): boolean =>
  passing.includes(status) || (status === 409 && reason === 'in_flight')

/** `Retry-After` as seconds or as a date. */
export function readRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const date = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
