/** The base class of all errors of this package, except the reason of an aborted signal. */
export abstract class EmojidError extends Error {
  abstract readonly code: string
}

/**
 * The text is no emoji id; nothing was sent. The message is written for the person who typed it.
 */
export class InvalidIdError extends EmojidError {
  override readonly name = 'InvalidIdError'
  readonly code = 'invalid_id'
  /** The wrong emoji or character; empty if the whole text is wrong. */
  readonly emoji: string
  /** Its position in the id, counted in emojis from 1. */
  readonly place: number
  readonly fault: 'encoding' | 'empty' | 'length' | 'character' | 'modifier'

  constructor(
    message: string,
    details: { emoji: string; place: number; fault: InvalidIdError['fault'] },
  ) {
    super(message)
    this.emoji = details.emoji
    this.place = details.place
    this.fault = details.fault
  }
}

/** A valid id that is not registered. */
export class UnregisteredError extends EmojidError {
  override readonly name = 'UnregisteredError'
  readonly code = 'unregistered'
  readonly id: string

  constructor(id: string) {
    super(`The emoji id ${id} is not registered.`)
    this.id = id
  }
}

/** The id is registered, but has no address for this payment. */
export class NoAddressError extends EmojidError {
  override readonly name = 'NoAddressError'
  readonly code = 'no_address'
  readonly id: string

  constructor(id: string, currency: string) {
    super(`${id} has no address for ${currency}.`)
    this.id = id
  }
}

/** An invalid amount, currency or service address. Nothing was sent. */
export class InvalidRequestError extends EmojidError {
  override readonly name = 'InvalidRequestError'
  readonly code = 'invalid_request'
}

/** No response: no connection, a broken one, or a time-out. */
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
  /**
   * The stable error code of the service, such as `two_factor_required`; empty if there is none.
   */
  reason: string
  fields?: Record<string, { code: string; message: string }[]>
  requestId?: string
  retryAfterMs?: number
  /** True if the error has the format of this API. */
  isExplained?: boolean
}

/** The service refused the request. */
export class RefusedError extends EmojidError {
  override readonly name = 'RefusedError'
  readonly code = 'refused'
  readonly status: number
  readonly reason: string
  readonly fields: Record<string, { code: string; message: string }[]>
  readonly requestId: string | undefined
  /** The Retry-After of the response. */
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

/** The response violates the API: another server, a bug, or an attack. Do not pay. */
export class UnexpectedAnswerError extends EmojidError {
  override readonly name = 'UnexpectedAnswerError'
  readonly code = 'unexpected_answer'
}

/** The records are not proven to be signed by the owner of the id. Do not pay. */
export class ProofError extends EmojidError {
  override readonly name = 'ProofError'
  readonly code = 'unproven'
  /** `order`: several signed records give different addresses, and their order is not signed. */
  readonly reason: 'record' | 'root' | 'unsigned' | 'signer' | 'signature' | 'order'

  constructor(reason: ProofError['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

type WebhookFault = 'missing_header' | 'old' | 'signature' | 'secret' | 'body'

/** The request is no webhook of the directory, or it cannot be verified. Respond 400. */
export class WebhookError extends EmojidError {
  override readonly name = 'WebhookError'
  readonly code: `webhook_${WebhookFault}`

  constructor(fault: WebhookFault, message: string) {
    super(message)
    this.code = `webhook_${fault}`
  }
}
