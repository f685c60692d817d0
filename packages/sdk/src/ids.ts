import { type EmojiId, EmojiIdError, parseEmojiId, parseSpelling } from '@emojid/core'
import { InvalidIdError } from './errors.ts'

/**
 * Parses an id in emojis, with any tones and selectors, to its canonical form; throws
 * `InvalidIdError`. Names need a table of 10 kB, which only `parseTypedId` brings along.
 */
export function parseId(text: string): EmojiId {
  assertText(text)
  return withInvalidIdError(() => parseEmojiId(text))
}

/**
 * Parses typed or pasted text, with spaces around it: an id in emojis, its name such as
 * `fire.snake`, or its DNS label such as `xn--4n8hpr`. Exactly as lookups of the service do.
 */
export function parseTypedId(text: string): EmojiId {
  assertText(text)
  return withInvalidIdError(() => parseSpelling(text.trim()))
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
