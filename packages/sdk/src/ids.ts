import { type EmojiId, EmojiIdError, parseEmojiId, parseShortname } from '@emojid/core'
import { InvalidIdError } from './errors.ts'

/**
 * Parses an id in any spelling to its canonical form; throws `InvalidIdError`. Exactly as the
 * service parses it.
 */
export function parseId(text: string): EmojiId {
  assertText(text)
  return withInvalidIdError(() => parseEmojiId(text))
}

/** Parses typed or pasted text: an id or its name such as `fire.snake`, with spaces around it. */
export function parseTypedId(text: string): EmojiId {
  assertText(text)
  const trimmed = text.trim()
  const isName = /^[a-z][a-z0-9.-]*$/i.test(trimmed)
  return isName ? withInvalidIdError(() => parseShortname(trimmed)) : parseId(trimmed)
}

function withInvalidIdError(parse: () => EmojiId): EmojiId {
  try {
    return parse()
  } catch (error) {
    if (!(error instanceof EmojiIdError)) throw error
    const { message, kind: fault, offending: emoji, position } = error
    throw new InvalidIdError(message, { fault, emoji, place: position.token + 1 })
  }
}

/** Programs without types may pass any value. */
function assertText(text: unknown): asserts text is string {
  if (typeof text === 'string') return
  const message = 'An emoji id must be a text such as 🔥🐍.'
  throw new InvalidIdError(message, { fault: 'character', emoji: '', place: 1 })
}
