import { randomBytes } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type EmojiId, parseEmojiIdSegment } from '@emojid/core'
import type { Answer, Records } from '../../features/records/index.ts'
import { shownOfReads } from '../../platform/http/cors.ts'
import { isKnown } from '../../platform/http/etag.ts'

export type FastLookup = (request: IncomingMessage, response: ServerResponse) => boolean

type Options = {
  records: Records
  cacheControl: string
  https: boolean
  /** Told of every answer, since no hook is. */
  count: (status: 200 | 304) => void
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
  const heads = new WeakMap<Answer, Heads>()
  const nextRequestId = requestIds()

  const idAt = (url: string): EmojiId | undefined => {
    const known = ids.get(url)
    if (known) return known
    const id = url.length <= longestKept ? readId(url.slice(prefix.length)) : undefined
    if (!id) return undefined
    if (ids.size >= addressesKept) ids.delete(ids.keys().next().value as string)
    ids.set(url, id)
    return id
  }
  const headsOf = (answer: Answer): Heads => {
    const made = makeHeads(answer, cacheControl, https)
    heads.set(answer, made)
    return made
  }

  return (request, response) => {
    const { url = '', method } = request
    if (method !== 'GET' || !url.startsWith(prefix)) return false
    const id = idAt(url)
    if (!id || isClosed()) return false
    const asked = readHeaders(request.rawHeaders)
    const answer = asked.takesLongWay ? undefined : records.peek(id)
    if (!answer) return false
    const { ok, notModified } = heads.get(answer) ?? headsOf(answer)
    const status = isKnown(asked.ifNoneMatch, answer.etag) ? 304 : 200
    const head = [...(status === 200 ? ok : notModified), nextRequestId()]
    if (asked.byPage) head.push('access-control-expose-headers', shownOfReads)
    // Node's types know only objects, its code also lists, which cost less.
    response.writeHead(status, head as unknown as OutgoingHttpHeaders)
    if (status === 200) response.end(answer.body)
    else response.end()
    count(status)
    return true
  }
}

type Asked = { takesLongWay: boolean; byPage: boolean; ifNoneMatch: string | undefined }

const longWay: Asked = { takesLongWay: true, byPage: false, ifNoneMatch: undefined }

/** The few headers that matter here, without making an object of all of them. */
function readHeaders(raw: readonly string[]): Asked {
  let host = false
  let byPage = false
  let ifNoneMatch: string | undefined
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string
    const { length } = name
    if (length === 4 && name.toLowerCase() === 'host') host = true
    else if (length === 6 && name.toLowerCase() === 'origin') byPage = true
    else if (length === 12 && name.toLowerCase() === 'x-request-id') return longWay
    else if (length === 13 && name.toLowerCase() === 'if-none-match') {
      // Given twice it is a list, which the long way reads.
      if (ifNoneMatch !== undefined) return longWay
      ifNoneMatch = raw[at + 1] as string
    }
  }
  return { takesLongWay: !host, byPage, ifNoneMatch }
}

/** Names and values in turn, as Node takes them; the value of the last name is still to come. */
type Heads = { ok: string[]; notModified: string[] }

function makeHeads({ body, etag }: Answer, cacheControl: string, https: boolean): Heads {
  const common = [
    ...['etag', etag, 'cache-control', cacheControl, 'x-content-type-options', 'nosniff'],
    ...['access-control-allow-origin', '*'],
    ...(https ? ['strict-transport-security', 'max-age=31536000; includeSubDomains'] : []),
  ]
  const ofBody = [
    ...['content-type', 'application/json; charset=utf-8'],
    ...['content-length', String(body.length)],
  ]
  return { ok: [...common, ...ofBody, 'x-request-id'], notModified: [...common, 'x-request-id'] }
}

/** Unlike those of other processes and of other starts of this one, and cheap. */
function requestIds(): () => string {
  const start = randomBytes(9).toString('base64url')
  let number = 0
  return () => `${start}.${(number++).toString(36)}`
}

/** The id of a path that is nothing but an id; what is odd in any way is left to the route. */
function readId(segment: string): EmojiId | undefined {
  if (!/^[%0-9A-Fa-f]+$/.test(segment)) return undefined
  try {
    return parseEmojiIdSegment(segment)
  } catch {
    return undefined
  }
}
