import { type EmojiId, parseEmojiId } from '@emojid/core'

export function readId(text: string): EmojiId | undefined {
  try {
    return parseEmojiId(text)
  } catch {
    return undefined
  }
}

/** How an id is displayed that is among these, however it is written. */
export function ownId(displayed: readonly string[], text: string): string | undefined {
  const wanted = readId(text)
  return wanted && displayed.find((one) => readId(one) === wanted)
}
