import { refusal, refusalIn } from '../../../platform/errors.ts'
import { parseJsonBody } from '../../../platform/http/json-body.ts'
import type { ProxyResult } from './schema.ts'

const fetchesPerUser = 3
const fetchesAtMost = 50

/** A page can answer slowly on purpose, so limit concurrent fetches per user and in total. */
export function assertRoom(ofCaller: number, ofAll: number): void {
  if (ofCaller >= fetchesPerUser || ofAll >= fetchesAtMost) throw tooManyAtOnce()
}

/** Returns the text and its JSON value. */
export const echo = (value: string): ProxyResult => ({ value, json: readJson(value) })

/** Parses as strictly as a request body; null if the text is not JSON. */
function readJson(text: string): unknown {
  try {
    return parseJsonBody(Buffer.from(text)) ?? null
  } catch {
    return null
  }
}

/** One error for every reason, so that it reveals nothing about our network. */
export const unreadablePage = () =>
  refusalIn(
    'data',
    'refused',
    'unreadable_page',
    'We can’t read this page. Send the http or https address of a public HTML page.',
  )

const tooManyAtOnce = () =>
  refusal(
    'limited',
    'too_many_at_once',
    'Too many pages are being read. Try again in a few seconds.',
    {
      retry_after_seconds: 2,
    },
  )
