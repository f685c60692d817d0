import { RecordError } from './record-error.ts'

const encoder = /* @__PURE__ */ new TextEncoder()

export function utf8(text: string): Uint8Array {
  return encoder.encode(text)
}

/** Controls, half characters, line breaks and writing-direction overrides change what a reader sees; none may be stored. */
const forbidden = /[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E\u2066-\u2069]/u

/** Text of at least one and at most so many bytes that every client can show as it is; `what` names it. */
export function checkText(text: string, maxBytes: number, what = 'text'): string {
  if (text === '') throw new RecordError('data.empty', `The ${what} is empty.`)
  return checkOptionalText(text, maxBytes, what)
}

export function checkOptionalText(text: string, maxBytes: number, what: string): string {
  if (text.length > maxBytes || utf8(text).length > maxBytes)
    throw new RecordError('data.too_long', `The ${what} is longer than ${maxBytes} bytes.`)
  if (forbidden.test(text))
    throw new RecordError(
      'data.character',
      `The ${what} has a line break or another character that cannot be shown: remove it.`,
    )
  return text
}
