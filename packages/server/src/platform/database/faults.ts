import { refusal } from '../errors.ts'

/**
 * SQLSTATE classes and codes of temporary failures: connection loss, shutdown, too many clients,
 * time-outs, no write to a standby.
 */
const transientPattern = /^(08...|53...|57P0[1-5]|57014|25P03|25006|40001|40P01|55P03)$/

/** A write to a standby, or to a database that was set to read-only. */
const readOnlyCode = '25006'

const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'OTHER_SERVER',
])

const connectionLossPattern =
  /connection terminated|timeout expired|timeout exceeded when trying to connect|query read timeout|client has encountered a connection error|client was closed/i

/** True for a temporary failure of the database, as opposed to a bug. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnavailable)
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code === 'string' && (connectionErrors.has(code) || transientPattern.test(code)))
    return true
  return connectionLossPattern.test(error.message)
}

export const isReadOnly = (error: unknown): boolean => hasCode(error, [readOnlyCode])

/**
 * True for a failed COMMIT that the server may have carried out: the response is missing, or the
 * server stopped while it waited for its standbys.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  const isAnswer = typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)
  return isUnavailable(error) && (!isAnswer || /^(08|57P0)/.test(code))
}

/** True for a deadlock or serialization failure. */
export const isCrossed = (error: unknown): boolean => hasCode(error, ['40P01', '40001'])

/** True for a violated unique constraint. */
export const isDuplicate = (error: unknown): boolean => hasCode(error, ['23505'])

/** True for a missing privilege. */
export const isNotAllowed = (error: unknown): boolean => hasCode(error, ['42501'])

/**
 * True if the database answered that it cannot run this statement: a missing table or privilege, a
 * damaged page, a failed disk read.
 */
export const isStatementFault = (error: unknown): boolean =>
  error instanceof Error && /^(42|58|XX)...$/.test(String((error as { code?: unknown }).code))

/** No connection or no response in time. The monitor notices an outage sooner, and cancels both. */
const timeouts = ['timeout exceeded when trying to connect', 'Query read timeout']

/** True if the database is available, but a query, a lock or a connection timed out. */
export const isBusy = (error: unknown): boolean =>
  isCrossed(error) ||
  hasCode(error, ['57014', '55P03']) ||
  (error instanceof Error && timeouts.includes(error.message))

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && codes.includes(String((error as { code?: unknown }).code))
}

export const databaseBusy = (cause?: unknown) => {
  const message =
    'The service is busy, or other requests are changing the same data. Try again shortly.'
  return refusal('unavailable', 'busy', message, { retry_after_seconds: 1, cause })
}

export const databaseReadOnly = (cause?: unknown) => {
  const message = 'The service can’t save changes at the moment. Try again shortly.'
  return refusal('unavailable', 'read_only_database', message, { retry_after_seconds: 1, cause })
}

export const outcomeUnknown = (cause?: unknown) => {
  const message =
    'The service lost its database while it saved your change, which may have taken effect. ' +
    'Check, or send the request again with the same Idempotency-Key.'
  return refusal('unavailable', 'unknown_outcome', message, { retry_after_seconds: 1, cause })
}

export const databaseAway = (cause?: unknown) =>
  refusal(
    'unavailable',
    'unavailable_database',
    'The service can’t reach its database. Try again shortly.',
    {
      retry_after_seconds: 1,
      cause,
    },
  )
