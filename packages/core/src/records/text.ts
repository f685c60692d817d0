import { codePointOf } from '../addresses/plain-signs.ts'
import { RecordError } from './record-error.ts'

const encoder = /* @__PURE__ */ new TextEncoder()

export function utf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/**
 * Control characters, surrogate halves, line breaks and invisible characters change what a reader
 * sees; none may be stored.
 */
const forbiddenPattern = /[\p{Cc}\p{Cs}\p{Cf}\p{Zl}\p{Zp}]/u

/**
 * Invisible characters that are valid: in joined emojis, in flags of regions, and between the
 * letters of Arabic and Indic scripts.
 */
const allowedInvisible =
  /(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\uFE0F)\u200D|\u{1F3F4}[\u{E0020}-\u{E007F}]+|[\u0600-\u0DFF][\u200C\u200D]/gu

/** Text of one to `maxBytes` bytes that every client can display; `name` names it in errors. */
export function checkText(text: string, maxBytes: number, name = 'text'): string {
  if (text === '') throw new RecordError('empty_data', `The ${name} is empty.`, name)
  return checkOptionalText(text, maxBytes, name)
}

export function checkOptionalText(text: string, maxBytes: number, name: string): string {
  if (text.length > maxBytes || utf8(text).length > maxBytes)
    throw new RecordError('too_long_data', `The ${name} is longer than ${maxBytes} bytes.`, name)
  const match = forbiddenPattern.exec(text.replaceAll(allowedInvisible, ' '))?.[0]
  if (match !== undefined)
    throw new RecordError(
      'invalid_character',
      `The ${name} contains a line break or another invisible character (${codePointOf(match)}). Remove it.`,
      name,
    )
  return text
}

/** Whether `checkOptionalText` accepts the text. */
export const isPlainText = (text: string, maxBytes: number): boolean =>
  utf8(text).length <= maxBytes && !forbiddenPattern.test(text.replaceAll(allowedInvisible, ' '))
