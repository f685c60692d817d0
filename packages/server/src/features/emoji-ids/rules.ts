import { type EmojiId, EmojiIdError, parseEmojiId } from '@emojid/core'
import { ServiceError } from '../../platform/errors.ts'

/** Input becomes an id here; afterwards nobody checks it again. */
export function readEmojiId(text: string): EmojiId {
  try {
    return parseEmojiId(text)
  } catch (error) {
    if (error instanceof EmojiIdError) throw new InvalidEmojiIdError(error)
    throw error
  }
}

class InvalidEmojiIdError extends ServiceError {
  override readonly name = 'EmojiIds.InvalidEmojiIdError'
  constructor(cause: EmojiIdError) {
    super('invalid', `emoji_id.${cause.kind}`, cause.message, { cause })
  }
}

export class UnregisteredError extends ServiceError {
  override readonly name = 'EmojiIds.UnregisteredError'
  constructor(id: EmojiId) {
    super('not_found', 'emoji_id.unregistered', `The emoji id ${id} is not registered.`)
  }
}
