export type RecordErrorCode =
  | 'malformed_tag'
  | 'unknown_ticker'
  | 'empty_data'
  | 'too_long_data'
  | 'invalid_character'
  | 'malformed_data'
  | 'malformed_address'
  | 'wrong_checksum'
  | 'other_chain'
  | 'test_network'
  | 'other_address_kind'
  | 'wrong_scheme'
  | 'credentials_in_url'
  | 'malformed_url'

/** The code is stable, the message is for the person who typed the data. */
export class RecordError extends Error {
  override readonly name = 'RecordError'
  readonly code: RecordErrorCode
  /** The name of the wrong part, if it is not the address. */
  readonly part: string | undefined

  constructor(code: RecordErrorCode, message: string, part?: string) {
    super(message)
    this.code = code
    this.part = part
  }
}
