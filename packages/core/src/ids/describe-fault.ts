import { isTone, VS15, VS16 } from './alphabet.ts'

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

/** Says in plain words what is wrong with one code point at the place of the given emoji (from 0). */
export function describeForeign(codePoint: number, token: number): string {
  const place = `At position ${token + 1} stands`
  if (codePoint === 0x200d)
    return `${place} an invisible joiner. Combined emojis cannot be part of an emoji id.`
  const hidden = invisible[codePoint]
  if (hidden !== undefined) return `${place} ${hidden}. An emoji id holds emojis only.`
  if (codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff)
    return `${place} a flag. Flags cannot be part of an emoji id.`
  const shown = String.fromCodePoint(codePoint)
  if (isLoneSurrogate(codePoint) || !/^[\p{L}\p{N}\p{P}\p{S}]$/u.test(shown))
    return `${place} the character ${codePointName(codePoint)}, which cannot be part of an emoji id.`
  if (/^\p{Extended_Pictographic}$/u.test(shown))
    return `${shown} at position ${token + 1} is not one of the emojis that an emoji id can use.`
  return `“${shown}” at position ${token + 1} is not an emoji. An emoji id holds emojis only.`
}

export function describeModifier(codePoint: number, previous: string, token: number): string {
  if (isTone(codePoint) && previous !== '')
    return `${previous} at position ${token + 1} cannot take a skin tone here.`
  if (isTone(codePoint)) return 'A skin tone must follow an emoji that takes one.'
  const style = codePoint === VS15 ? 'text style' : codePoint === VS16 ? 'emoji style' : 'style'
  return `At position ${token + 1} stands a ${style} mark that belongs to no emoji.`
}

function codePointName(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
}

function isLoneSurrogate(codePoint: number): boolean {
  return codePoint >= 0xd800 && codePoint <= 0xdfff
}
