/**
 * The reason of a failed delivery, without any content of the message: logs and tables store this.
 */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  /** A short code, never the provider's text, which may repeat the recipient. */
  readonly reason: string
  /** True if a retry would fail the same way. */
  readonly isFinal: boolean

  constructor(reason: string, isFinal = false) {
    super(`A message was not delivered: ${reason}.`)
    this.reason = reason
    this.isFinal = isFinal
  }

  static from(error: unknown): DeliveryError {
    return error instanceof DeliveryError ? error : new DeliveryError('internal')
  }
}
