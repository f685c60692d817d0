import { alphabetIndex } from './alphabet.ts'
import { emojisOf } from './formats.ts'
import { popularityLetters } from './generated/popularity.ts'
import { scoreCells } from './generated/rhythm.ts'
import type { EmojiId } from './parse.ts'
import { shapeOf } from './shape.ts'

/** 1..100. Counts how many steps of the id's table the summed popularity has reached. */
export function rhythmScore(id: EmojiId): number {
  const emojis = emojisOf(id)
  const sum = emojis.reduce((total, emoji) => total + popularity(emoji), 0)
  const [base, ...steps] = scoreCells[`${shapeOf(id) ?? 'none'}/${emojis.length}`] as number[]
  return (base as number) + steps.filter((step) => step <= sum).length
}

/** How popular an emoji is, 0..50: the fine measure that the score tables are made for. */
export function popularity(emoji: string): number {
  const index = alphabetIndex(emoji.codePointAt(0) as number) as number
  return popularityLetters.charCodeAt(index) - 48
}
