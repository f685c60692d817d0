/** The reason of a failed request. Each site maps a kind to its own response. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'in_flight'
  | 'outdated'
  | 'gone'
  | 'too_large'
  | 'refused'
  | 'second_factor'
  | 'limited'
  | 'suspended'
  | 'unavailable'

type FieldErrors = Record<string, { code: string; message: string }[]>

type Details = {
  /** The faults by member of the request. */
  fields?: FieldErrors
  /** The time after which a retry makes sense. */
  retry_after_seconds?: number
  /** Further members of the response, for clients that act on them. */
  extra?: Record<string, string>
  cause?: unknown
}

/** A fault in one member of a request. */
export const inField = (name: string, code: string, message: string): { fields: FieldErrors } => ({
  fields: { [name]: [{ code, message }] },
})

/** A failure reported to the client: `code` is stable, `message` is for people. */
export class ServiceError extends Error {
  override readonly name: string = 'ServiceError'
  readonly kind: ErrorKind
  readonly code: string
  readonly details: Details

  constructor(kind: ErrorKind, code: string, message: string, details: Details = {}) {
    const { stackTraceLimit } = Error
    // It becomes a response, and creating a stack costs more than the rest of the response.
    Error.stackTraceLimit = 0
    super(message, { cause: details.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.kind = kind
    this.code = code
    this.details = details
  }
}

/** A refusal as data: `code` is stable and documented, `message` is for people. */
export const refusal = (
  kind: ErrorKind,
  code: string,
  message: string,
  details?: Details,
): ServiceError => new ServiceError(kind, code, message, details)

/** The request is malformed; it breaks the schema, not a rule. */
export const invalidRequest = (message: string, details?: Details): ServiceError =>
  refusal('invalid', 'invalid_request', message, details)

/** A unique value is taken. Clients of the contract read the code. */
export const duplicate = (field: string, message: string): ServiceError =>
  refusalIn(field, 'refused', 'uniqueness', message)

/** A refusal because of one member of the request, which the response names. */
export const refusalIn = (
  field: string,
  kind: ErrorKind,
  code: string,
  message: string,
  fieldCode = code,
): ServiceError => new ServiceError(kind, code, message, inField(field, fieldCode, message))
