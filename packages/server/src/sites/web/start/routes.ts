import { type EmojiId, sheetPath } from '@emojid/core'
import type { FastifyInstance } from 'fastify'
import { createSharedValue } from '../../../platform/cache/shared-value.ts'
import {
  type Compressible,
  compressWell,
  sendCompressed,
} from '../../../platform/http/pages/compress.ts'
import type { SiteLinks } from '../../../platform/http/pages/links.ts'
import { minuteMs } from '../../../platform/time.ts'
import type { AppShell } from '../app-shell.ts'
import { serveScript } from '../ids/files.ts'
import type { IdFeatures } from '../ids/id.ts'
import { waysToPay } from '../ids/ways-to-pay.ts'
import { mayBeSignedIn } from '../session.ts'
import { examples, startBody, startHead } from './page.ts'

type Options = Pick<IdFeatures, 'catalog' | 'emojiIds' | 'records'> & {
  shell: AppShell
  webUrl: string
  baseUrl: string
  companyFee: number
  links: SiteLinks
  now: () => Date
}

/** Ids that are tried for the demonstration. */
const demoTries = 10
/** The tabs of the picker and its first group. */
const firstSheets = ['groups', 'animals'].map(sheetPath)

/**
 * {web_url}/: paints without any script. The app takes over at the first touch, key or movement, or
 * immediately if the visitor is signed in or searches. Nothing in it belongs to one person.
 */
export function serveStart(app: FastifyInstance, options: Options): void {
  const { shell, now } = options
  const demoScriptUrl = serveScript(app, 'demo')
  const needed = shell.scriptsOf('src/pages/search/finder.ts')
  const ahead = [...shell.scriptsOf('src/pages/search/answer-parts.tsx'), ...firstSheets]

  const build = async () => {
    const { webUrl, baseUrl, links } = options
    const [demoId, offer] = await Promise.all([findDemoId(options), findOffer(options)])
    const body = startBody({ webUrl, baseUrl, links, demoId, offer, demoScriptUrl })
    const view = { head: startHead(options), body, needed, ahead }
    const [eager, lazy] = await Promise.all(
      [true, false].map((isEager) => compressWell(shell.paint(view, { isEager }))),
    )
    return { eager: eager as Compressible, lazy: lazy as Compressible }
  }
  const loadPages = createSharedValue({ load: build, freshMs: minuteMs, now })

  app.get('/', async (request, reply) => {
    const { eager, lazy } = await loadPages()
    const isSignedIn = mayBeSignedIn(request.headers.cookie)
    const isEager = isSignedIn || request.raw.url !== '/'
    // Browsers restore the page when people come back, unless it could show an account.
    reply.header('cache-control', isSignedIn ? 'no-store' : 'private, no-cache')
    const page = isEager ? eager : lazy
    return sendCompressed(request, shell.addHeaders(reply), page, 'text/html; charset=utf-8')
  })
}

/** A recently bought id that can be paid. The page is complete without one. */
async function findDemoId({ emojiIds, records }: Options): Promise<EmojiId | undefined> {
  const newest = await emojiIds.findNewestIds(demoTries).catch(() => [])
  for (const id of newest) {
    const idRecords = await records.lookUpRecords(id).catch(() => [])
    if ((await waysToPay(idRecords)).some(({ strength }) => strength !== 'wrong')) return id
  }
  return undefined
}

/** An id for sale with the price that a buyer pays. */
async function findOffer({ catalog, companyFee }: Options) {
  for (const id of examples) {
    const price = await catalog.findPriceNow(id).catch(() => null)
    if (price !== null) return { id, price: price + Math.floor((price * companyFee) / 100) }
  }
  return undefined
}
