export type RecordErrorCode =
  | 'tag.malformed'
  | 'ticker.unknown'
  | 'data.empty'
  | 'data.too_long'
  | 'data.character'
  | 'data.form'
  | 'address.malformed'
  | 'address.checksum'
  | 'address.other_chain'
  | 'address.test_network'
  | 'address.kind'
  | 'url.scheme'
  | 'url.credentials'
  | 'url.malformed'

/** A record that is not stored. The code is stable, the message is for the person who typed the data. */
export class RecordError extends Error {
  override readonly name = 'RecordError'
  readonly code: RecordErrorCode
  /** Which part of the data is wrong, if it is not the address: its name in the message. */
  readonly part: string | undefined

  constructor(code: RecordErrorCode, message: string, part?: string) {
    super(message)
    this.code = code
    this.part = part
  }
}
