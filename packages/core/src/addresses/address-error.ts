export type AddressErrorCode =
  | 'malformed_address'
  | 'wrong_checksum'
  | 'other_chain'
  | 'test_network'
  | 'other_address_kind'

/**
 * The text is not an address that can receive this currency; the message says what it is instead.
 */
export class AddressError extends Error {
  override readonly name = 'AddressError'
  readonly code: AddressErrorCode

  constructor(code: AddressErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
