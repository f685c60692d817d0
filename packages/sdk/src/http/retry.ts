import { NetworkError, RefusedError } from '../errors.ts'

const shortestMs = 200
const longestMs = 5_000
/** Limited, or something on the way is overloaded or away for a moment. */
const passing = [429, 502, 503, 504]

/**
 * How long to wait before a request is sent again; undefined when another try would not help. A random
 * part keeps many clients from coming back at the same moment.
 */
export function waitBefore(
  error: unknown,
  attempt: number,
  { longestWaitMs, random = Math.random }: { longestWaitMs: number; random?: () => number },
): number | undefined {
  const most = Math.min(longestMs, shortestMs * 2 ** attempt)
  const backOff = most / 2 + (random() * most) / 2
  if (error instanceof NetworkError) return backOff
  if (!(error instanceof RefusedError) || !mayPass(error)) return undefined
  const { retryAfterMs } = error
  if (retryAfterMs === undefined) return backOff
  return retryAfterMs > longestWaitMs ? undefined : retryAfterMs + (random() * most) / 2
}

/** The first request with the same Idempotency-Key may still be under way. */
const mayPass = ({ status, reason }: RefusedError): boolean =>
  passing.includes(status) || (status === 409 && reason === 'in_flight')

/** `Retry-After` as seconds or as a date. */
export function readRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const date = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
