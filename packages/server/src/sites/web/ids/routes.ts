import { decodeSegment, type EmojiId, EmojiIdError, parseEmojiId } from '@emojid/core'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { UnregisteredError } from '../../../features/directory/emoji-ids/emoji-ids.ts'
import { redirectOf } from '../../../features/directory/store/store.ts'
import { createClockCache } from '../../../platform/cache/clock-cache.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { etagOf } from '../../../platform/http/etag.ts'
import { createBudget } from '../../../platform/http/limits.ts'
import {
  type Compressible,
  compressible,
  sendCompressed,
} from '../../../platform/http/pages/compress.ts'
import { pagePolicy } from '../../../platform/http/pages/html.ts'
import { currentLanguage } from '../../../platform/http/pages/language.ts'
import { isWithin } from '../../../platform/http/pages/links.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import { type IdAddress, readIdAddress, spelledRight } from './address.ts'
import { serveCards } from './cards.ts'
import { serveFiles } from './files.ts'
import { createReader, type IdFeatures } from './id.ts'
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
const policy = pagePolicy({ scripts: true, reads: true })

/** Building a page with 200 addresses takes 40 ms, in parts. */
const cachedPagesAtMost = 5_000
const cachedBytesAtMost = 48_000_000
/** The least that a page counts. */
const leastBytes = 20_000

/** `hasSheet`: visitors can pay. */
type IdPage = { file: Compressible; hasSheet: boolean }

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
  const { readVersion, readId } = createReader(options)
  const files = serveFiles(app)
  const cachedPages = createClockCache<IdPage>(cachedPagesAtMost, {
    atMost: cachedBytesAtMost,
    // A page is kept with its compressed forms.
    sizeOf: ({ file }) => 1_000 + 2 * file.content.length,
  })
  const building = new Map<string, Promise<IdPage>>()
  // A request of 60 bytes can have a response of 280 kB.
  const pageBytes = createBudget('bytes of pages', {
    each: { atOnce: 20_000_000, perSecond: 2_000_000 },
  })
  serveCards(app, pictures, cacheControl)

  /** Counts the bytes even for a 304, which is known only afterwards. */
  const loadPage = async (id: EmojiId): Promise<IdPage> => {
    const network = currentNetwork()
    pageBytes.assertLeft(network)
    // Taken before the read, so that concurrent requests cannot exceed the limit together.
    pageBytes.take(network, leastBytes)
    const language = currentLanguage()
    const key = `${language} ${await readVersion(id)}`
    const page = cachedPages.get(key) ?? (await buildOnce(key, language, id))
    const { length } = page.file.content
    if (length > leastBytes) pageBytes.take(network, length - leastBytes)
    return page
  }
  /** Concurrent requests wait for the same page. */
  const buildOnce = (key: string, language: string, id: EmojiId): Promise<IdPage> => {
    const running = building.get(key)
    if (running) return running
    const work = buildPage(language, id).finally(() => building.delete(key))
    building.set(key, work)
    return work
  }
  const buildPage = async (language: string, id: EmojiId): Promise<IdPage> => {
    const { version, view } = await readId(id)
    const bytes = Buffer.from(await idPage(view, { webUrl, ...files }))
    const page = { file: compressible(bytes, etagOf(bytes)), hasSheet: view.ways.length > 0 }
    cachedPages.put(`${language} ${version}`, page)
    return page
  }

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { url = '' } = request.raw
    const idAddress = readIdAddress(url)
    const text = decodeSegment(idAddress.segment)
    const id = read(text)
    if (id instanceof EmojiIdError) return sendPage(reply, 400, wrongEmojiPage(webUrl, text, id))
    const right = spelledRight(id, idAddress)
    if (url !== right) return leadToSpelling(reply, `${webUrl}${right}`)
    try {
      return await answerFor(id, idAddress, request, reply)
    } catch (error) {
      if (isSuspension(error)) return sendSuspended(reply, id)
      if (!(error instanceof UnregisteredError)) throw error
      const price = await catalog.findPriceForPage(id)
      return sendPage(reply, 404, unregisteredPage(webUrl, id, price))
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
    request: FastifyRequest,
    reply: FastifyReply,
  ) => {
    const target = redirectOf(await records.lookUpRecords(id), { path, query })
    if (target && !isWithin(authUrl, target)) {
      return reply.header('cache-control', asLookups).redirect(target, 303)
    }
    if (path !== '') return sendPage(reply, 404, noSuchPathPage(webUrl, id))
    const { file, hasSheet } = await loadPage(id)
    // The first way to pay is open as soon as the page is.
    if (hasSheet) records.countSheet(id)
    // Headers of a 304 replace those of the cached page, so the policy must be the same.
    reply.header('content-security-policy', policy).header('cache-control', asLookups)
    return sendCompressed(request, reply, file, 'text/html; charset=utf-8')
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
