import { refusal } from '../errors.ts'

/** SQLSTATE classes and codes that say "not now": connection trouble, shutdown, too many clients, time-outs. */
const passing = /^(08...|53...|57P0[1-5]|57014|25P03|40001|40P01|55P03)$/

const broken = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

const lost =
  /connection terminated|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error|client was closed/i

/** Whether the database could not answer now, as opposed to answering with a fault of ours. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && (broken.has(code) || passing.test(code))) return true
  return lost.test(error.message)
}

/** Whether the database broke a transaction off because another one stood in its way. */
export const isCrossed = (error: unknown): boolean => hasCode(error, ['40P01', '40001'])

/** Whether somebody else took a unique value a moment before. */
export const isDuplicate = (error: unknown): boolean => hasCode(error, ['23505'])

/** Whether its user lacks a right. */
export const isNotAllowed = (error: unknown): boolean => hasCode(error, ['42501'])

/** The pool had no connection in time. An outage is noticed sooner, by the monitor. */
const noConnectionInTime = 'timeout exceeded when trying to connect'

/** Whether the database is there, but a query or a wait for a lock or a connection took too long. */
export const isBusy = (error: unknown): boolean =>
  isCrossed(error) ||
  hasCode(error, ['57014', '55P03']) ||
  (error instanceof Error && error.message === noConnectionInTime)

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes(String((error as { code?: unknown }).code))
}

export const databaseBusy = (cause?: unknown) => {
  const message =
    'Others are changing the same things, or the service has much to do. Try again shortly.'
  return refusal('unavailable', 'busy', message, { retry_after_seconds: 1, cause })
}

export const databaseAway = (cause?: unknown) =>
  refusal(
    'unavailable',
    'unavailable_database',
    'The service cannot reach its data. Try again shortly.',
    {
      retry_after_seconds: 1,
      cause,
    },
  )
