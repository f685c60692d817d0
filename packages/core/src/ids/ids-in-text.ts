import { alphabetIndex } from './alphabet.ts'
import { parseTonedEmojiId } from './parse.ts'
import { MAX_EMOJIS } from './tokenise.ts'

type TextPart = { text: string; isId: boolean }

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** A sentence in parts: ids, which are shown as art, and the text between them. */
export function idsInText(sentence: string): TextPart[] {
  const parts: (TextPart & { count: number })[] = []
  for (const { segment } of graphemes.segment(sentence)) {
    const isId = isEmoji(segment)
    const last = parts.at(-1)
    if (last?.isId === isId && (!isId || last.count < MAX_EMOJIS)) {
      last.text += segment
      last.count += 1
    } else parts.push({ text: segment, isId, count: 1 })
  }
  return parts.map(({ text, isId }) => ({ text, isId }))
}

function isEmoji(text: string): boolean {
  // An error per letter of a sentence took a millisecond.
  if (alphabetIndex(text.codePointAt(0) ?? 0) === undefined) return false
  try {
    return parseTonedEmojiId(text).id !== ''
  } catch {
    return false
  }
}
