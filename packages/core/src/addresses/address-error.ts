export type AddressErrorCode =
  | 'address.malformed'
  | 'address.checksum'
  | 'address.other_chain'
  | 'address.test_network'
  | 'address.kind'

/** The text is not an address to which this currency can be sent; the message says what it is instead. */
export class AddressError extends Error {
  override readonly name = 'AddressError'
  readonly code: AddressErrorCode

  constructor(code: AddressErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
