import { randomBytes } from 'node:crypto'
import { type EmojiId, parseEmojiIdSegment } from '@emojid/core'
import {
  type Answer,
  paymentPatterns,
  type Records,
  readPaymentView,
  readTags,
  type View,
} from '../../features/directory/records/records.ts'
import { shownOfReads } from '../../platform/http/api/cors.ts'
import { isKnown } from '../../platform/http/etag.ts'
import type { FrontAnswer, FrontReply, PlainRequest } from '../../platform/http/server/front.ts'

type Options = {
  records: Records
  cacheControl: string
  https: boolean
  /** The paths below an id that are no tickers, without their parameters. */
  otherPaths: ReadonlySet<string>
  /** Counts every response, since no hook runs for these. */
  count: (status: 200 | 304) => void
  observe: (route: string, status: 200 | 304, seconds: number) => void
  /** True if every request must take the regular route, for example during shutdown. */
  isClosed: () => boolean
}

export const lookupPrefix = '/api/emoji_id/'
/** Beyond this, the overload protection of the server decides. */
const loadingAtMost = 500
const rememberedTargets = 20_000
/** Six emojis, each with its selector and tone, percent-encoded, and a ticker or a query. */
const longestRemembered = lookupPrefix.length + 6 * 45 + 80

type Lookup = { id: EmojiId; view: View; route: string }

/**
 * The fast path of every form of a lookup: the same bytes as the route sends, from prepared answers.
 * The route answers unusual and large lookups, and refusals.
 */
export function createFastLookup(options: Options): FrontAnswer {
  const { records, cacheControl, https, otherPaths, count, observe, isClosed } = options
  let loading = 0
  const lookups = new Map<string, Lookup>()
  const nextRequestId = requestIds()
  const strict = https
    ? ['strict-transport-security', 'max-age=31536000; includeSubDomains']
    : ([] as const)

  const lookupAt = (target: string): Lookup | undefined => {
    const knownLookup = lookups.get(target)
    if (knownLookup || target.length > longestRemembered) return knownLookup
    // A copy: a part of a text keeps the whole text, here the head of the request.
    const ownTarget = Buffer.from(target, 'latin1').toString('latin1')
    const lookup = readTarget(ownTarget, otherPaths)
    if (!lookup) return undefined
    if (lookups.size >= rememberedTargets) lookups.delete(lookups.keys().next().value as string)
    lookups.set(ownTarget, lookup)
    return lookup
  }
  const bodyOf = (answer: Answer): string => {
    answer.text ??= answer.body.toString('latin1')
    return answer.text
  }
  const replyWith = (
    answer: Answer,
    status: 200 | 304,
    { head: { byPage, requestId } }: PlainRequest,
    source: string | undefined,
  ): FrontReply => {
    const fields = [
      'x-request-id',
      requestId ?? nextRequestId(),
      'x-content-type-options',
      'nosniff',
      ...strict,
      'access-control-allow-origin',
      '*',
    ]
    if (byPage) fields.push('access-control-expose-headers', shownOfReads)
    if (source !== undefined) fields.push('x-served-from', source)
    fields.push('etag', answer.etag, 'cache-control', cacheControl)
    if (status === 304) return { status, fields, body: '' }
    fields.push('content-type', 'application/json; charset=utf-8')
    fields.push('content-length', String(answer.body.length))
    return { status, fields, body: bodyOf(answer) }
  }
  const load = async ({ id, view, route }: Lookup, request: PlainRequest) => {
    const start = performance.now()
    loading++
    try {
      const loaded = await records.answerSmall(id, view)
      if (!loaded) return undefined
      const { answer, source } = loaded
      const status = isKnown(request.head.ifNoneMatch, answer.etag) ? 304 : 200
      observe(route, status, (performance.now() - start) / 1_000)
      return replyWith(answer, status, request, source)
    } catch {
      // The id or ticker is unknown, or the database is unavailable: the route sends the error.
      return undefined
    } finally {
      loading--
    }
  }

  return (request) => {
    const lookup = isClosed() ? undefined : lookupAt(request.target)
    if (!lookup) return undefined
    const answer = records.peekAnswer(lookup.id, lookup.view)
    if (answer === 'large') return undefined
    if (!answer) return loading < loadingAtMost ? resolveSoon(load(lookup, request)) : undefined
    const status = isKnown(request.head.ifNoneMatch, answer.etag) ? 304 : 200
    count(status)
    return replyWith(answer, status, request, records.memorySource)
  }
}

const patienceMs = 250

/** Leaves slow loads to the route, which has a time limit. */
function resolveSoon(coming: Promise<FrontReply | undefined>): Promise<FrontReply | undefined> {
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

const plainTarget = /^([%0-9A-Fa-f]+)(?:\/([A-Za-z0-9]{1,16}))?(?:\?(.*))?$/

/** Reads the lookup from a path and its query, if they have the usual characters. */
function readTarget(target: string, otherPaths: ReadonlySet<string>): Lookup | undefined {
  const [, segment, below, query] = plainTarget.exec(target.slice(lookupPrefix.length)) ?? []
  const members = readQuery(query)
  if (segment === undefined || !members) return undefined
  const { tags, token, network, ...others } = members
  const isPayment = below === 'payment'
  if (Object.keys(others).length > 0) return undefined
  try {
    const id = parseEmojiIdSegment(segment)
    if (isPayment) return { id, view: readPaymentView(members), route: `${routeOfId}/payment` }
    if (token !== undefined || network !== undefined) return undefined
    if (below === undefined) {
      const tagList = readTags(tags)
      const view = { form: 'lookup' as const, ...(tagList ? { tags: tagList } : {}) }
      return { id, view, route: routeOfId }
    }
    if (tags !== undefined || otherPaths.has(below)) return undefined
    return { id, view: { form: 'ticker', ticker: below }, route: `${routeOfId}/:tag` }
  } catch {
    return undefined
  }
}

const routeOfId = `${lookupPrefix}:emoji_id`

/** Each member once, with characters that mean themselves, and commas. */
const plainMember = /^(tags|token|network)=((?:[A-Za-z0-9$._,-]|%2[Cc])*)$/
const forms: { [name in string]?: RegExp } = {
  token: new RegExp(paymentPatterns.token),
  network: new RegExp(paymentPatterns.network),
}

function readQuery(query = ''): { [name in string]?: string } | undefined {
  const members: { [name: string]: string } = {}
  for (const member of query === '' ? [] : query.split('&')) {
    const [, name, text] = plainMember.exec(member) ?? []
    if (name === undefined || text === undefined || name in members) return undefined
    const value = text.replaceAll(/%2C/gi, ',')
    if (forms[name]?.test(value) === false) return undefined
    members[name] = value
  }
  return members
}
