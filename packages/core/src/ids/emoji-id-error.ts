export type EmojiIdErrorKind = 'encoding' | 'empty' | 'length' | 'character' | 'modifier'

/** Where the fault is: counted in emojis and in code points, both from 0. */
export type EmojiIdPosition = { token: number; codePoint: number }

/** The text is no emoji id. The message is written for the person who typed it. */
export class EmojiIdError extends Error {
  override readonly name = 'EmojiIdError'
  readonly kind: EmojiIdErrorKind
  readonly position: EmojiIdPosition
  /** The wrong emoji or character; empty if the whole text is wrong. */
  readonly offending: string

  constructor(
    kind: EmojiIdErrorKind,
    message: string,
    position: EmojiIdPosition = { token: 0, codePoint: 0 },
    offending = '',
  ) {
    super(message)
    this.kind = kind
    this.position = position
    this.offending = offending
  }
}
