import { emojiAlphabet, skinTones, takesTone } from './alphabet.ts'
import { groupDigits, groupIds } from './generated/groups.ts'

/**
 * The position of an emoji on its sprite sheet: rows of `SHEET_COLUMNS`, filled from the top left.
 */
export type SheetPlace = { sheet: string; column: number; row: number; rows: number }

export const SHEET_COLUMNS = 10

let places: Map<string, SheetPlace> | undefined
let version: string | undefined

/**
 * Sprite sheets, one for each group and one for each skin tone, in alphabet order. Undefined for
 * emojis without a picture. `make-pictures.cjs` draws them in the same order.
 */
export function sheetPlace(emoji: string): SheetPlace | undefined {
  places ??= new Map([...sheets()].flatMap(([sheet, emojis]) => placesOn(sheet, emojis)))
  return places.get(keyOf(emoji))
}

/**
 * The path of a sheet. It changes with the place of any emoji: a sheet that a browser kept would show
 * another emoji there.
 */
export function sheetPath(sheet: string): string {
  version ??= checksum([...sheets()].flat(2).join())
  return `/art/sheets/${version}/${sheet}.webp`
}

/** FNV-1a. */
function checksum(text: string): string {
  let sum = 0x811c9dc5
  for (const char of text) sum = Math.imul(sum ^ (char.codePointAt(0) ?? 0), 0x01000193)
  return (sum >>> 0).toString(16).padStart(8, '0')
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

/** A skin tone replaces the variation selector, so keys have none. */
const keyOf = (emoji: string): string => emoji.replace('\uFE0F', '')
