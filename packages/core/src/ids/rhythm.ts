import { alphabetIndex } from './alphabet.ts'
import { emojisOf } from './formats.ts'
import { popularityLetters } from './generated/popularity.ts'
import { scoreCells } from './generated/rhythm.ts'
import type { EmojiId } from './parse.ts'
import { shapeOf } from './shape.ts'

/** 1..100: the number of thresholds in the id's table that the summed popularity has reached. */
export function rhythmScore(id: EmojiId): number {
  const emojis = emojisOf(id)
  const sum = emojis.reduce((total, emoji) => total + popularity(emoji), 0)
  const [base, ...steps] = scoreCells[`${shapeOf(id) ?? 'none'}/${emojis.length}`] as number[]
  return (base as number) + steps.filter((step) => step <= sum).length
}

/** The lowest and the highest score of ids with this length, over all shapes. */
export function scoreRange(length: number): { lowest: number; highest: number } {
  const cells = Object.entries(scoreCells).filter(([name]) => name.endsWith(`/${length}`))
  return {
    lowest: Math.min(...cells.map(([, [base = 0]]) => base)),
    highest: Math.max(...cells.map(([, [base = 0, ...steps]]) => base + steps.length)),
  }
}

/** The popularity of an emoji, 0..50: the basis of the score tables. */
export function popularity(emoji: string): number {
  const index = alphabetIndex(emoji.codePointAt(0) as number) as number
  return popularityLetters.charCodeAt(index) - 48
}
