import { type EmojiId, parseEmojiId } from '@emojid/core'

export function readId(text: string): EmojiId | undefined {
  try {
    return parseEmojiId(text)
  } catch {
    return undefined
  }
}

/** The display form of an id if it is among these, in any spelling. */
export function ownId(displayed: readonly string[], text: string): string | undefined {
  const id = readId(text)
  return id && displayed.find((one) => readId(one) === id)
}
