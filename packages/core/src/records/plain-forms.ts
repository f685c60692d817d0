import { EmojiIdError } from '../ids/emoji-id-error.ts'
import { toDisplayFormat } from '../ids/formats.ts'
import { RecordError } from './record-error.ts'

/** 32 bytes, with or without 0x; stored as lower-case digits. */
export function checkHex32(text: string): string {
  const digits = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(text)?.[1]
  if (digits === undefined)
    throw new RecordError('malformed_data', 'A key must have 64 hex digits.')
  return digits.toLowerCase()
}

/** A day, or a timestamp with its offset from UTC. */
export function checkDate(text: string): string {
  const form = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2}))?$/
  const day = text.slice(0, 10)
  const real = form.test(text) && !Number.isNaN(Date.parse(text)) && dayExists(day)
  if (!real)
    throw new RecordError(
      'malformed_data',
      'This is not a date such as 2030-12-31 or 2030-12-31T00:00:00Z.',
    )
  return text
}

/** Date.parse rolls 30 February over into March. */
function dayExists(day: string): boolean {
  const parsedDate = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(parsedDate.getTime()) && parsedDate.toISOString().startsWith(day)
}

/** The id with the owner's skin tones; the caller checks that it is the same id. */
export function checkPreferredForm(text: string): string {
  try {
    return toDisplayFormat(text)
  } catch (error) {
    if (error instanceof EmojiIdError) throw new RecordError('malformed_data', error.message)
    throw error
  }
}
