import { readFileSync } from 'node:fs'
import type { EmojiId } from '@emojid/core'
import type { FastifyInstance } from 'fastify'
import type { EmojiIds } from '../../features/directory/emoji-ids/emoji-ids.ts'
import { createClockCache } from '../../platform/cache/clock-cache.ts'
import { createSharedValue } from '../../platform/cache/shared-value.ts'
import { refusal } from '../../platform/errors.ts'
import { etagOf } from '../../platform/http/etag.ts'
import { createBudget } from '../../platform/http/limits.ts'
import {
  type Compressible,
  compressible,
  sendCompressed,
} from '../../platform/http/pages/compress.ts'
import { html } from '../../platform/http/pages/html.ts'
import type { SecurityContact } from '../../platform/http/pages/links.ts'
import { sendUnchanging } from '../../platform/http/unchanging.ts'
import { currentNetwork } from '../../platform/request-id.ts'
import { hourMs, minuteMs } from '../../platform/time.ts'
import { addressOf } from './ids/address.ts'

type Options = {
  webUrl: string
  emojiIds: EmojiIds
  security: SecurityContact | undefined
  now: () => Date
}

const perFile = 5_000
/** A million ids; an index may name 50,000 files. */
const filesAtMost = 200
/** A file has about 100 kB. */
const cachedFiles = 20
const icon = new URL('../../../browser/favicon.ico', import.meta.url)

/** Pages that belong to one person, or that only forms open. */
const personal = ['/account', '/admin', '/cart', '/checkout', '/orders/', '/partner/', '/report/']
const hiddenPaths = ['/api/', '/auth/', '/dev', '/find', '/session']

/** Files that search engines and browsers ask for by name. */
export function serveCrawlers(app: FastifyInstance, options: Options): void {
  const { webUrl, emojiIds, security, now } = options
  const robots = toContent(`User-agent: *
${[...personal, ...hiddenPaths].map((path) => `Disallow: ${path}`).join('\n')}
Allow: /

Sitemap: ${webUrl}/sitemap.xml
`)
  app.get('/robots.txt', async (request, reply) =>
    sendCompressed(request, asPublic(reply), robots, 'text/plain; charset=utf-8'),
  )

  const securityText =
    security &&
    toContent(`Contact: ${security.contact}
Expires: ${security.expires.toISOString()}
Preferred-Languages: ${security.languages}
Canonical: ${webUrl}/.well-known/security.txt
`)
  app.get('/.well-known/security.txt', async (request, reply) =>
    securityText
      ? sendCompressed(request, asPublic(reply), securityText, 'text/plain; charset=utf-8')
      : reply.callNotFound(),
  )

  serveSitemaps(app, { webUrl, emojiIds, now })

  const content = readFileSync(icon)
  const etag = etagOf(content)
  app.get('/favicon.ico', async (request, reply) =>
    sendUnchanging(
      request,
      reply,
      {
        length: content.length,
        etag,
        type: 'image/x-icon',
        read: async ({ first, last }) => content.subarray(first, last + 1),
      },
      'public, max-age=604800',
    ),
  )
}

/**
 * The index at /sitemap.xml names files of a few thousand public ids each, without suspended ones.
 * All visitors share one list of the files per hour, and one content of a file per minute.
 */
function serveSitemaps(
  app: FastifyInstance,
  { webUrl, emojiIds, now }: Omit<Options, 'security'>,
): void {
  const loadStarts = createSharedValue({
    load: () => emojiIds.findPartStarts(perFile, filesAtMost),
    freshMs: hourMs,
    now,
  })
  const files = createClockCache<() => Promise<Compressible>>(cachedFiles)
  // A crawler reads all files at once, and then rarely.
  const reads = createBudget('crawlers', {
    each: { atOnce: 220, perSecond: 1 },
    all: { atOnce: 1_000, perSecond: 20 },
  })
  const loadFile = (start: string) => {
    const cachedFile = files.get(start)
    if (cachedFile) return cachedFile()
    const load = createSharedValue({
      load: async () => toContent(sitemapOf(webUrl, await emojiIds.findIdsFrom(start, perFile))),
      freshMs: minuteMs,
      now,
    })
    files.put(start, load)
    return load()
  }

  app.get('/sitemap.xml', async (request, reply) => {
    const count = Math.max((await loadStarts()).length, 1)
    const index = toContent(indexOf(webUrl, count))
    return sendCompressed(request, asPublic(reply), index, xmlType)
  })
  app.get<{ Params: { file: string } }>('/sitemaps/:file', async (request, reply) => {
    const number = Number(/^([1-9]\d{0,3})\.xml$/.exec(request.params.file)?.[1])
    const start = (await loadStarts())[number - 1]
    if (!start && number !== 1) throw unknownSitemap()
    reads.spend(currentNetwork(), 1)
    // The first file also has new ids before its former first one.
    const file = await loadFile(number === 1 || !start ? '' : start)
    return sendCompressed(request, asPublic(reply), file, xmlType)
  })
}

const xmlType = 'application/xml; charset=utf-8'

const indexOf = (webUrl: string, count: number): string =>
  html`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${Array.from({ length: count }, (_, nth) => html`<sitemap><loc>${webUrl}/sitemaps/${nth + 1}.xml</loc></sitemap>\n`)}</sitemapindex>
`.text

const unknownSitemap = () => refusal('not_found', 'unknown_sitemap', 'This sitemap does not exist.')

const asPublic = (reply: Parameters<typeof sendCompressed>[1]) =>
  reply.header('cache-control', 'public, max-age=60')

function toContent(text: string) {
  const content = Buffer.from(text)
  return compressible(content, etagOf(content))
}

const sitemapOf = (webUrl: string, ids: readonly EmojiId[]): string =>
  html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>${webUrl}/</loc></url>
${ids.map((id) => html`<url><loc>${addressOf(webUrl, id)}</loc></url>\n`)}</urlset>
`.text
