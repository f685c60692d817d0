import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import type { EmojiIds } from '../../features/directory/emoji-ids/index.ts'
import { createSharedValue } from '../../platform/cache/shared-value.ts'
import { compressible, sendCompressed } from '../../platform/http/compress.ts'
import { etagOf } from '../../platform/http/etag.ts'
import { html } from '../../platform/http/html.ts'
import { sendUnchanging } from '../../platform/http/unchanging.ts'
import { minuteMs } from '../../platform/time.ts'
import { addressOf } from './ids/address.ts'

type Options = { webUrl: string; emojiIds: EmojiIds; now: () => Date }

/** A sitemap may have 50,000 addresses; the newest ids are the ones that crawlers do not know. */
const listedAtMost = 10_000
const icon = new URL('../../../browser/favicon.ico', import.meta.url)

/** Pages that belong to one person, or that only forms open. */
const personal = ['/account', '/admin', '/cart', '/checkout', '/orders/', '/partner/', '/report/']
const hiddenPaths = ['/api/', '/auth/', '/dev', '/session']

/** Files that search engines and browsers ask for by name. */
export function serveCrawlers(app: FastifyInstance, { webUrl, emojiIds, now }: Options): void {
  const robots = toContent(`User-agent: *
${[...personal, ...hiddenPaths].map((path) => `Disallow: ${path}`).join('\n')}
Allow: /

Sitemap: ${webUrl}/sitemap.xml
`)
  app.get('/robots.txt', async (request, reply) =>
    sendCompressed(request, asPublic(reply), robots, 'text/plain; charset=utf-8'),
  )

  // Without suspended ids. A minute is as long as crawlers need to read all of it.
  const loadSitemap = createSharedValue({
    load: async () => toContent(sitemapOf(webUrl, await emojiIds.findNewestIds(listedAtMost))),
    freshMs: minuteMs,
    now,
  })
  app.get('/sitemap.xml', async (request, reply) =>
    sendCompressed(request, asPublic(reply), await loadSitemap(), 'application/xml; charset=utf-8'),
  )

  const content = readFileSync(icon)
  const etag = etagOf(content)
  app.get('/favicon.ico', async (request, reply) =>
    sendUnchanging(
      request,
      reply,
      { content, etag, type: 'image/x-icon' },
      'public, max-age=604800',
    ),
  )
}

const asPublic = (reply: Parameters<typeof sendCompressed>[1]) =>
  reply.header('cache-control', 'public, max-age=60')

function toContent(text: string) {
  const content = Buffer.from(text)
  return compressible(content, etagOf(content))
}

type Ids = Awaited<ReturnType<EmojiIds['findNewestIds']>>

const sitemapOf = (webUrl: string, ids: Ids): string =>
  html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>${webUrl}/</loc></url>
${ids.map((id) => html`<url><loc>${addressOf(webUrl, id)}</loc></url>\n`)}</urlset>
`.text
