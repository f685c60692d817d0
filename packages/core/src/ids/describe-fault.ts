import { isTone, VS15 } from './alphabet.ts'

const invisible: Readonly<Record<number, string>> = {
  0: 'a NUL character',
  9: 'a tab',
  10: 'a line break',
  13: 'a line break',
  32: 'a space',
  160: 'a no-break space',
  8203: 'a zero width space',
  8204: 'a zero width non-joiner',
  8206: 'a writing direction mark',
  8207: 'a writing direction mark',
  8238: 'a writing direction mark',
  12288: 'a wide space',
  65279: 'a byte order mark',
}

/** Explains the fault of one code point at the index of its emoji (from 0). */
export function describeForeign(codePoint: number, token: number): string {
  const place = `at position ${token + 1}`
  if (codePoint === 0x200d)
    return `There is an invisible joiner ${place}. Combined emojis can’t be part of an emoji id.`
  const hidden = invisible[codePoint]
  if (hidden !== undefined) return `There is ${hidden} ${place}. An emoji id contains emojis only.`
  if (codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff)
    return `There is a flag ${place}. Flags can’t be part of an emoji id.`
  const character = String.fromCodePoint(codePoint)
  if (isLoneSurrogate(codePoint) || !/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character))
    return `The character ${codePointName(codePoint)} ${place} can’t be part of an emoji id.`
  if (/^\p{Extended_Pictographic}$/u.test(character))
    return `${character} ${place} is not one of the emojis that an emoji id can use.`
  return `“${character}” ${place} is not an emoji. An emoji id contains emojis only.`
}

export function describeModifier(codePoint: number, previous: string, token: number): string {
  const place = `at position ${token + 1}`
  if (isTone(codePoint) && previous !== '') return `${previous} ${place} can’t have a skin tone.`
  if (isTone(codePoint))
    return `The skin tone ${place} does not follow an emoji. It must follow an emoji that can have one.`
  const style = codePoint === VS15 ? 'text' : 'emoji'
  return `There is an invisible ${style} style mark ${place} without an emoji. Enter the id again.`
}

function codePointName(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
}

function isLoneSurrogate(codePoint: number): boolean {
  return codePoint >= 0xd800 && codePoint <= 0xdfff
}
