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
  const wanted = readId(text)
  return wanted && displayed.find((one) => readId(one) === wanted)
}
