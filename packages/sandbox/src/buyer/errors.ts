/** An action that the buyer cannot take now. */
export class BuyerError extends Error {
  override readonly name = 'BuyerError'
  readonly status: number
  constructor(status: 400 | 403 | 404 | 405 | 409, message: string) {
    super(message)
    this.status = status
  }
}
