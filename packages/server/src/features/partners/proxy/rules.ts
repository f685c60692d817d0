import { refusal, refusalIn } from '../../../platform/errors.ts'
import { parseJsonBody } from '../../../platform/http/api/json.ts'
import { shareOfProcess } from '../../../platform/processes.ts'
import type { ProxyResult } from './routes.ts'

const atMost = { ofCaller: 3, ofNetwork: 10, ofAll: 50 }
/** A network with less than its share gets one of the last places. */
const fewOfNetwork = 2

/** The running fetches of the caller, of the network and of all. */
type Fetches = { ofCaller: number; ofNetwork: number; ofAll: number }

/** A page can answer slowly on purpose, so limit concurrent fetches. */
export function assertRoom({ ofCaller, ofNetwork, ofAll }: Fetches): void {
  const all = shareOfProcess(atMost.ofAll)
  const share = shareOfProcess(ofAll < all / 2 ? atMost.ofNetwork : fewOfNetwork)
  if (ofCaller >= shareOfProcess(atMost.ofCaller) || ofNetwork >= share || ofAll >= all)
    throw tooManyAtOnce()
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
