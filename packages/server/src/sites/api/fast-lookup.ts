import { randomUUID } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type EmojiId, parseEmojiIdSegment } from '@emojid/core'
import type { Answer, Records } from '../../features/records/index.ts'
import { shownHeaders } from '../../platform/http/cors.ts'
import { isKnown } from '../../platform/http/etag.ts'

export type FastLookup = (request: IncomingMessage, response: ServerResponse) => boolean

type Options = {
  records: Records
  cacheControl: string
  https: boolean
  /** Told of every answer, since no hook is. */
  count: (status: number) => void
  /** Whether every request has to take the long way now, for example while the process stops. */
  isClosed: () => boolean
}

const prefix = '/api/emoji_id/'
const addressesKept = 20_000
/** Six emojis, each with its selector and tone, percent-encoded. */
const longestKept = prefix.length + 6 * 45

/**
 * The hottest request of all, answered before the router: a whole id, from memory, byte by byte
 * the answer that the route gives. Whatever is not exactly that takes the long way.
 */
export function createFastLookup(options: Options): FastLookup {
  const { records, cacheControl, https, count, isClosed } = options
  const ids = new Map<string, EmojiId>()

  const idAt = (url: string): EmojiId | undefined => {
    const known = ids.get(url)
    if (known) return known
    const id = url.length <= longestKept ? readId(url.slice(prefix.length)) : undefined
    if (!id) return undefined
    if (ids.size >= addressesKept) ids.delete(ids.keys().next().value as string)
    ids.set(url, id)
    return id
  }
  const heads = new WeakMap<Answer, Head>()
  const headOf = (answer: Answer): Head => {
    const made = heads.get(answer) ?? makeHead(answer, cacheControl, https)
    heads.set(answer, made)
    return made
  }

  return (request, response) => {
    const { url = '', method } = request
    if (method !== 'GET' || !url.startsWith(prefix)) return false
    const { headers } = request
    if (headers['x-request-id'] !== undefined || !headers.host || isClosed()) return false
    const id = idAt(url)
    const answer = id && records.peek(id)
    if (!answer) return false
    const head = headOf(answer)
    const requestId = ['x-request-id', randomUUID()]
    if (isKnown(headers['if-none-match'], answer.etag)) {
      writeHead(response, 304, [...head.common, ...requestId])
      response.end()
      count(304)
    } else {
      writeHead(response, 200, [...head.common, ...head.ofBody, ...requestId])
      response.end(answer.body)
      count(200)
    }
    return true
  }
}

/** Names and values in turn, as Node takes them. */
type Head = { common: string[]; ofBody: string[] }

function makeHead({ body, etag }: Answer, cacheControl: string, https: boolean): Head {
  return {
    common: [
      ...['etag', etag, 'cache-control', cacheControl],
      ...['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer'],
      ...['access-control-allow-origin', '*'],
      ...['access-control-expose-headers', shownHeaders],
      ...(https ? ['strict-transport-security', 'max-age=31536000; includeSubDomains'] : []),
    ],
    ofBody: [
      ...['content-type', 'application/json; charset=utf-8'],
      ...['content-length', String(body.length)],
    ],
  }
}

/** Node's types know only objects, its code also lists, which cost less. */
const writeHead = (response: ServerResponse, status: number, head: string[]) =>
  response.writeHead(status, head as unknown as OutgoingHttpHeaders)

/** The id of a path that is nothing but an id; what is odd in any way is left to the route. */
function readId(segment: string): EmojiId | undefined {
  if (!/^[%0-9A-Fa-f]+$/.test(segment)) return undefined
  try {
    return parseEmojiIdSegment(segment)
  } catch {
    return undefined
  }
}
