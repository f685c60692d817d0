import { decodeSegment, type EmojiId, EmojiIdError, parseEmojiId } from '@emojid/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UnregisteredError } from '../../../features/directory/emoji-ids/index.ts'
import { redirectOf } from '../../../features/directory/store/index.ts'
import { createClockCache } from '../../../platform/cache/clock-cache.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { etagOf, isKnown } from '../../../platform/http/etag.ts'
import { pagePolicy } from '../../../platform/http/html.ts'
import { currentLanguage } from '../../../platform/http/language.ts'
import { isWithin } from '../../../platform/http/web-link.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import { type IdAddress, readIdAddress, spelledRight } from './address.ts'
import { serveCards } from './cards.ts'
import { serveFiles } from './files.ts'
import { createReader, type IdFeatures, type ShownId } from './id.ts'
import { createLimits } from './limits.ts'
import { noSuchPathPage } from './no-such-path/page.ts'
import { idPage } from './page.ts'
import { leadToSpelling, sendPage } from './send.ts'
import { suspendedPage } from './suspended/page.ts'
import { unregisteredPage } from './unregistered/page.ts'
import { wrongEmojiPage } from './wrong-emoji/page.ts'

/** No other page has a non-ASCII character in its address, so ids hide none. */
const withEmoji = '(.*[^\\x00-\\x7f].*)'
/** Caches revalidate a page on every request. */
const asLookups = 'public, no-cache'
const policy = pagePolicy({ scripts: true })

type Page = { page: string; etag: string }

/** Building a page with 200 addresses takes 40 ms; small pages are not worth caching. */
const cachedFromBytes = 20_000
const cachedAtMost = 100

type Options = IdFeatures & {
  webUrl: string
  authUrl: string
  appealsEmail: string
  /** How long caches may keep a card. */
  cacheControl: string
}

/** {web_url}/{id}: the public page of an id, or its redirect; never to our sign-in pages. */
export function serveIdPages(app: FastifyInstance, options: Options): void {
  const { catalog, pictures, records, webUrl, authUrl, appealsEmail, cacheControl } = options
  const readId = createReader(options)
  const files = serveFiles(app)
  const cachedPages = createClockCache<Page>(cachedAtMost)
  const limits = createLimits()
  serveCards(app, pictures, cacheControl)

  /** Counts the bytes even for a 304, which is known only afterwards. */
  const loadPage = async (id: EmojiId): Promise<Page> => {
    const network = currentNetwork()
    limits.pageBytes.assertLeft(network)
    // Taken before the read, so that concurrent requests cannot exceed the limit together.
    limits.pageBytes.take(network, cachedFromBytes)
    const { version, show } = await readId(id)
    const key = `${currentLanguage()} ${version}`
    const found = cachedPages.get(key) ?? buildPage(show())
    if (found.page.length > cachedFromBytes) {
      cachedPages.put(key, found)
      limits.pageBytes.take(network, found.page.length - cachedFromBytes)
    }
    return found
  }
  const buildPage = (shown: ShownId): Page => {
    const page = idPage(shown, { webUrl, ...files })
    return { page, etag: etagOf(Buffer.from(page)) }
  }

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { url = '' } = request.raw
    const asked = readIdAddress(url)
    const text = decodeSegment(asked.segment)
    const id = read(text)
    if (id instanceof EmojiIdError) return sendPage(reply, 400, wrongEmojiPage(webUrl, text, id))
    const right = spelledRight(id, asked)
    if (url !== right) return leadToSpelling(reply, `${webUrl}${right}`)
    try {
      return await answerFor(id, asked, request, reply)
    } catch (error) {
      if (isSuspension(error)) return sendSuspended(reply, id)
      if (!(error instanceof UnregisteredError)) throw error
      return sendPage(reply, 404, unregisteredPage(webUrl, id, await catalog.findPriceNow(id)))
    }
  }

  /** Caches must ask again: the id may be restored. */
  const sendSuspended = (reply: FastifyReply, id: EmojiId) =>
    sendPage(
      reply.header('cache-control', 'no-cache'),
      451,
      suspendedPage(webUrl, id, appealsEmail),
    )

  const answerFor = async (
    id: EmojiId,
    { path, query }: IdAddress,
    { headers }: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const target = redirectOf(await records.lookUpRecords(id), { path, query })
    if (target && !isWithin(authUrl, target)) {
      return reply.header('cache-control', asLookups).redirect(target, 303)
    }
    if (path !== '') return sendPage(reply, 404, noSuchPathPage(webUrl, id))
    const { page, etag } = await loadPage(id)
    // Headers of a 304 replace those of the cached page, so the policy must be the same.
    const policed = reply.header('content-security-policy', policy)
    policed.header('cache-control', asLookups).header('etag', etag)
    if (isKnown(headers['if-none-match'], etag)) return policed.code(304).send()
    return sendPage(policed, 200, page)
  }

  for (const url of [`/:id${withEmoji}`, `/:id${withEmoji}/*`]) app.get(url, answer)
}

const isSuspension = (error: unknown): boolean =>
  error instanceof ServiceError && error.kind === 'suspended'

function read(text: string): EmojiId | EmojiIdError {
  try {
    return parseEmojiId(text)
  } catch (error) {
    if (error instanceof EmojiIdError) return error
    throw error
  }
}
