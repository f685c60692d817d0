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
    if (isKnown(asked.ifNoneMatch, answer.etag)) {
      writeHead(response, 304, [...notModified, nextRequestId()])
      response.end()
      count(304)
    } else {
      writeHead(response, 200, [...ok, nextRequestId()])
      response.end(answer.body)
      count(200)
    }
    return true
  }
}

/** The few headers that matter here, without making an object of all of them. */
function readHeaders(raw: readonly string[]): { takesLongWay: boolean; ifNoneMatch?: string } {
  let host = false
  let ifNoneMatch: string | undefined
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as string
    const { length } = name
    if (length === 4 && name.toLowerCase() === 'host') host = true
    else if (length === 12 && name.toLowerCase() === 'x-request-id') return { takesLongWay: true }
    else if (length === 13 && name.toLowerCase() === 'if-none-match') {
      // Given twice it is a list, which the long way reads.
      if (ifNoneMatch !== undefined) return { takesLongWay: true }
      ifNoneMatch = raw[at + 1] as string
    }
  }
  return ifNoneMatch === undefined ? { takesLongWay: !host } : { takesLongWay: !host, ifNoneMatch }
}

/** Names and values in turn, as Node takes them; the value of the last name is still to come. */
type Heads = { ok: string[]; notModified: string[] }

function makeHeads({ body, etag }: Answer, cacheControl: string, https: boolean): Heads {
  const common = [
    ...['etag', etag, 'cache-control', cacheControl, 'x-content-type-options', 'nosniff'],
    ...['access-control-allow-origin', '*', 'access-control-expose-headers', shownOfReads],
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
