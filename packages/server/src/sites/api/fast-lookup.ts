import { randomBytes } from 'node:crypto'
import { type EmojiId, parseEmojiIdSegment } from '@emojid/core'
import type { Answer, Records } from '../../features/directory/records/records.ts'
import { shownOfReads } from '../../platform/http/api/cors.ts'
import { isKnown } from '../../platform/http/etag.ts'
import type { FrontAnswer, PlainRequest } from '../../platform/http/server/front.ts'

type Options = {
  records: Records
  cacheControl: string
  https: boolean
  /** Counts every response, since no hook runs for these. */
  count: (status: 200 | 304) => void
  observe: (status: 200 | 304, seconds: number) => void
  /** True if every request must take the regular route, for example during shutdown. */
  isClosed: () => boolean
}

export const lookupPrefix = '/api/emoji_id/'
/** Beyond this, the overload protection of the server decides. */
const loadingAtMost = 500
const cachedAddresses = 20_000
/** Six emojis, each with its selector and tone, percent-encoded. */
const longestCached = lookupPrefix.length + 6 * 45

/**
 * Fast path for the most frequent request, the lookup of a whole id: the same bytes as the route
 * sends. Every other request takes the route.
 */
export function createFastLookup(options: Options): FrontAnswer {
  const { records, cacheControl, https, count, observe, isClosed } = options
  let loading = 0
  const ids = new Map<string, EmojiId>()
  const cache = new WeakMap<Answer, Texts>()
  const nextRequestId = requestIds()
  const date = dateOfNow()
  const memoryLine = sourceLine(records.memorySource)

  const idAt = (target: string): EmojiId | undefined => {
    const knownId = ids.get(target)
    if (knownId) return knownId
    const id =
      target.length <= longestCached ? readId(target.slice(lookupPrefix.length)) : undefined
    if (!id) return undefined
    if (ids.size >= cachedAddresses) ids.delete(ids.keys().next().value as string)
    ids.set(target, id)
    return id
  }
  const textsOf = (answer: Answer): Texts => {
    const texts = writeTexts(answer, cacheControl, https)
    cache.set(answer, texts)
    return texts
  }

  const write = (answer: Answer, status: 200 | 304, byPage: boolean, source: string): string => {
    const { ok, notModified, body } = cache.get(answer) ?? textsOf(answer)
    const exposed = byPage ? `access-control-expose-headers: ${shownOfReads}\r\n` : ''
    const own = `x-request-id: ${nextRequestId()}\r\n${source}${exposed}Date: ${date()}\r\n${alive}\r\n`
    return status === 200 ? `${ok}${own}${body}` : `${notModified}${own}`
  }
  const load = async (id: EmojiId, { ifNoneMatch, byPage }: PlainRequest) => {
    const start = performance.now()
    loading++
    try {
      const loaded = await records.answerSmall(id)
      if (!loaded) return undefined
      const { answer, source } = loaded
      const status = isKnown(ifNoneMatch, answer.etag) ? 304 : 200
      observe(status, (performance.now() - start) / 1_000)
      return write(answer, status, byPage, sourceLine(source))
    } catch {
      // The id is not registered, or the database is unavailable: the route sends the error.
      return undefined
    } finally {
      loading--
    }
  }

  return (request) => {
    const id = isClosed() ? undefined : idAt(request.target)
    if (!id) return undefined
    const answer = records.peekAnswer(id)
    if (answer === 'large') return undefined
    if (!answer) return loading < loadingAtMost ? resolveSoon(load(id, request)) : undefined
    const status = isKnown(request.ifNoneMatch, answer.etag) ? 304 : 200
    count(status)
    return write(answer, status, request.byPage, memoryLine)
  }
}

const sourceLine = (source: string | undefined) =>
  source === undefined ? '' : `x-served-from: ${source}\r\n`

const alive = 'Connection: keep-alive\r\nKeep-Alive: timeout=72\r\n'

/** Heads without the per-response parts, and the body with one character per byte. */
type Texts = { ok: string; notModified: string; body: string }

function writeTexts({ body, etag }: Answer, cacheControl: string, https: boolean): Texts {
  const common = [
    `etag: ${etag}`,
    `cache-control: ${cacheControl}`,
    'x-content-type-options: nosniff',
    'access-control-allow-origin: *',
    ...(https ? ['strict-transport-security: max-age=31536000; includeSubDomains'] : []),
  ]
  const ofBody = ['content-type: application/json; charset=utf-8', `content-length: ${body.length}`]
  const join = (lines: string[]) => lines.map((line) => `${line}\r\n`).join('')
  return {
    ok: join(['HTTP/1.1 200 OK', ...common, ...ofBody]),
    notModified: join(['HTTP/1.1 304 Not Modified', ...common]),
    body: body.toString('latin1'),
  }
}

const patienceMs = 250

/** Leaves slow loads to the route, which has a time limit. */
function resolveSoon(coming: Promise<string | undefined>): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, patienceMs, undefined)
    coming.then((reply) => {
      clearTimeout(timer)
      resolve(reply)
    })
  })
}

/** Cheap ids that differ between processes and restarts. */
function requestIds(): () => string {
  const start = randomBytes(9).toString('base64url')
  let number = 0
  return () => `${start}.${(number++).toString(36)}`
}

/** The Date header, formatted once a second. */
function dateOfNow(): () => string {
  let second = 0
  let text = ''
  return () => {
    const now = Math.floor(Date.now() / 1_000)
    if (now !== second) {
      second = now
      text = new Date(now * 1_000).toUTCString()
    }
    return text
  }
}

/** The id of a path that is only an id; everything unusual is left to the route. */
function readId(segment: string): EmojiId | undefined {
  if (!/^[%0-9A-Fa-f]+$/.test(segment)) return undefined
  try {
    return parseEmojiIdSegment(segment)
  } catch {
    return undefined
  }
}
