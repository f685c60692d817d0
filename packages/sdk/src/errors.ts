/** Everything that this package throws, but for the reason of an aborted signal, is one of these. */
export abstract class EmojidError extends Error {
  abstract readonly code: string
}

/** The text is no emoji id; nothing was sent. The message is written for the person who typed it. */
export class InvalidIdError extends EmojidError {
  override readonly name = 'InvalidIdError'
  readonly code = 'invalid_id'
  /** The emoji or character that is wrong; empty when the whole text is. */
  readonly emoji: string
  /** At which place of the id it stands, counted in emojis from 1. */
  readonly place: number
  readonly fault: 'encoding' | 'empty' | 'length' | 'character' | 'modifier'

  constructor(
    message: string,
    told: { emoji: string; place: number; fault: InvalidIdError['fault'] },
  ) {
    super(message)
    this.emoji = told.emoji
    this.place = told.place
    this.fault = told.fault
  }
}

/** A good id that nobody has. */
export class UnregisteredError extends EmojidError {
  override readonly name = 'UnregisteredError'
  readonly code = 'unregistered'
  readonly id: string

  constructor(id: string) {
    super(`Nobody has the emoji id ${id}.`)
    this.id = id
  }
}

/** The id is somebody's, but takes no payment of this kind. */
export class NoAddressError extends EmojidError {
  override readonly name = 'NoAddressError'
  readonly code = 'no_address'
  readonly id: string

  constructor(id: string, wanted: string) {
    super(`${id} has no address for ${wanted}.`)
    this.id = id
  }
}

/** What was asked for cannot be: an amount, a currency or an address of a service. Nothing was sent. */
export class InvalidRequestError extends EmojidError {
  override readonly name = 'InvalidRequestError'
  readonly code = 'invalid_request'
}

/** No answer came: no connection, a broken one, or none in time. */
export class NetworkError extends EmojidError {
  override readonly name = 'NetworkError'
  readonly code = 'network'
  readonly isTimeout: boolean

  constructor(
    message: string,
    { isTimeout = false, cause }: { isTimeout?: boolean; cause?: unknown },
  ) {
    super(message, { cause })
    this.isTimeout = isTimeout
  }
}

export type Refusal = {
  status: number
  /** The stable word of the service, such as `two_factor_required`; empty where it gave none. */
  reason: string
  fields?: Record<string, { code: string; message: string }[]>
  requestId?: string
  retryAfterMs?: number
  /** Whether it said why in the form of this API, and not as whatever else may answer at an address. */
  isExplained?: boolean
}

/** The service answered, and said no. */
export class RefusedError extends EmojidError {
  override readonly name = 'RefusedError'
  readonly code = 'refused'
  readonly status: number
  readonly reason: string
  readonly fields: Record<string, { code: string; message: string }[]>
  readonly requestId: string | undefined
  /** How long it asked to be left alone. */
  readonly retryAfterMs: number | undefined
  readonly isExplained: boolean

  constructor(message: string, refusal: Refusal) {
    super(message)
    this.status = refusal.status
    this.reason = refusal.reason
    this.fields = refusal.fields ?? {}
    this.requestId = refusal.requestId
    this.retryAfterMs = refusal.retryAfterMs
    this.isExplained = refusal.isExplained ?? false
  }
}

/** The answer is not what the API promises: another server, a fault, or somebody who lies. Do not pay. */
export class UnexpectedAnswerError extends EmojidError {
  override readonly name = 'UnexpectedAnswerError'
  readonly code = 'unexpected_answer'
}

/** The records are not proven to be those that the owner of the id signed. Do not pay. */
export class ProofError extends EmojidError {
  override readonly name = 'ProofError'
  readonly code = 'unproven'
  /** `order`: several signed records would give different addresses, and which is the latest is not signed. */
  readonly reason: 'record' | 'root' | 'unsigned' | 'signer' | 'signature' | 'order'

  constructor(reason: ProofError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}
