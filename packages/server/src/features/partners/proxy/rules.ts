import { refusal, refusalIn } from '../../../platform/errors.ts'
import { parseJsonBody } from '../../../platform/http/json-body.ts'
import type { ProxyResult } from './schema.ts'

const mostOfOne = 3
const mostOfAll = 50

/** Pages may answer slowly on purpose: nobody takes all the places, and there is an end to them. */
export function assertRoom(ofCaller: number, ofAll: number): void {
  if (ofCaller >= mostOfOne || ofAll >= mostOfAll) throw tooManyAtOnce()
}

/** What was sent, and what it is as JSON. */
export const echo = (value: string): ProxyResult => ({ value, json: readJson(value) })

/** As strictly as any body, since it goes into one; nothing where it is not JSON. */
function readJson(text: string): unknown {
  try {
    return parseJsonBody(Buffer.from(text)) ?? null
  } catch {
    return null
  }
}

/** One for every reason: which it is would tell strangers what our network looks like. */
export const unreadablePage = () =>
  refusalIn(
    'data',
    'refused',
    'unreadable_page',
    'This page cannot be read. Give the http or https address of a public HTML page.',
  )

const tooManyAtOnce = () =>
  refusal('limited', 'too_many_at_once', 'Too many pages are being read. Try again shortly.', {
    retry_after_seconds: 2,
  })
