import { EmojiIdError } from './emoji-id-error.ts'
import { type EmojiId, parseEmojiId } from './parse.ts'
import { isPartlyShortname, parseShortname } from './shortnames.ts'

/**
 * Parses an id in any of its spellings: emojis, slugs (`fire.snake`), or a DNS label (`xn--4n8hpr`).
 * Slugs and labels are ASCII, in any letter case; no emoji is. Throws `EmojiIdError`.
 */
export function parseSpelling(text: string): EmojiId {
  if (/^xn--[a-z0-9-]*$/i.test(text)) return parseLabel(text)
  return isPartlyShortname(text) ? parseShortname(text) : parseEmojiId(text)
}

const longestLabel = 63

function parseLabel(label: string): EmojiId {
  const text =
    label.length > longestLabel ? undefined : decodePunycode(label.slice(4).toLowerCase())
  if (text !== undefined && text !== '') return parseEmojiId(text)
  const excerpt = label.length > 40 ? `${label.slice(0, 40)}…` : label
  throw new EmojiIdError(
    'character',
    `“${excerpt}” is not the label of an emoji id.`,
    undefined,
    label,
  )
}

const [base, tMin, tMax, skew, damp] = [36, 1, 26, 38, 700]

/** RFC 3492. Libraries for names (IDNA 2008) refuse emojis. Undefined if the text is malformed. */
function decodePunycode(text: string): string | undefined {
  const delimiter = text.lastIndexOf('-')
  const output = [...text.slice(0, Math.max(0, delimiter))]
  let [code, bias, at] = [128, 72, delimiter + 1]
  for (let index = 0; at < text.length; index++) {
    const before = index
    for (let [weight, k] = [1, base]; ; k += base) {
      const digit = digitOf(text.charCodeAt(at++))
      if (digit === undefined) return undefined
      index += digit * weight
      const threshold = Math.min(tMax, Math.max(tMin, k - bias))
      if (digit < threshold) break
      weight *= base - threshold
    }
    const length = output.length + 1
    bias = adapt(index - before, length, before === 0)
    code += Math.floor(index / length)
    index %= length
    if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined
    output.splice(index, 0, String.fromCodePoint(code))
  }
  return output.join('')
}

/** Undefined behind the end of the text too. */
function digitOf(char: number): number | undefined {
  if (char >= 0x61 && char <= 0x7a) return char - 0x61
  return char >= 0x30 && char <= 0x39 ? char - 0x30 + 26 : undefined
}

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? damp : 2))
  rest += Math.floor(rest / length)
  let k = 0
  for (; rest > ((base - tMin) * tMax) / 2; k += base) rest = Math.floor(rest / (base - tMin))
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + skew))
}
