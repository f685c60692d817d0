import { emojiAlphabet, skinTones, takesTone } from './alphabet.ts'
import { groupDigits, groupIds } from './generated/groups.ts'

/**
 * The position of an emoji on its sprite sheet: rows of `SHEET_COLUMNS`, filled from the top left.
 */
export type SheetPlace = { sheet: string; column: number; row: number; rows: number }

export const SHEET_COLUMNS = 10

let places: Map<string, SheetPlace> | undefined

/**
 * Sprite sheets, one for each group and one for each skin tone, in alphabet order. Undefined for
 * emojis without a picture. `make-pictures.cjs` draws them in the same order.
 */
export function sheetPlace(emoji: string): SheetPlace | undefined {
  places ??= new Map([...sheets()].flatMap(([sheet, emojis]) => placesOn(sheet, emojis)))
  return places.get(keyOf(emoji))
}

function* sheets(): Iterable<[sheet: string, emojis: string[]]> {
  for (const [digit, group] of groupIds.entries())
    yield [group, emojiAlphabet.filter((_, index) => groupDigits[index] === String(digit))]
  const toned = emojiAlphabet.filter((emoji) => takesTone(emoji.codePointAt(0) ?? -1))
  for (const [nth, tone] of skinTones.entries())
    yield [`tone-${nth + 1}`, toned.map((emoji) => keyOf(emoji) + tone)]
}

function placesOn(sheet: string, emojis: readonly string[]): [string, SheetPlace][] {
  const rows = Math.ceil(emojis.length / SHEET_COLUMNS)
  return emojis.map((emoji, nth) => {
    const column = nth % SHEET_COLUMNS
    return [keyOf(emoji), { sheet, column, row: Math.floor(nth / SHEET_COLUMNS), rows }]
  })
}

/** Without the variation selector, which a tone replaces. */
const keyOf = (emoji: string): string => emoji.replace('\uFE0F', '')
