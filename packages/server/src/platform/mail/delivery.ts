/** Why a message did not arrive, without anything of the message: logs and tables keep this. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError'
  /** A short code, never the words of the other side: those may repeat the recipient. */
  readonly reason: string
  /** Trying the same again would end the same way. */
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
