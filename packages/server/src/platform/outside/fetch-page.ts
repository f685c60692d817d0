import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { type FetcherOptions, pinnedClient, readAddress, resolveAllowed } from './reach.ts'
import { acceptedEncodings, readBeginning } from './read-body.ts'

export type Page = { url: string; content_type: string; bytes: Buffer }

/** The beginning of an HTML page of the public internet; undefined on any failure. */
export type PageFetcher = (address: string) => Promise<Page | undefined>

const mostBytes = 1024 * 1024
const mostRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Fetches pages at addresses from users (SSRF protection). A name is resolved once, all its
 * addresses are checked, and only those are connected to, again for every redirect. Refusals reveal
 * nothing: all look alike and take the same time.
 */
export function createPageFetcher(options: FetcherOptions = {}): PageFetcher {
  const { patienceMs = 3_500, leastRefusalMs = 800, pause = sleep } = options

  const follow = async (address: string, signal: AbortSignal): Promise<Page | undefined> => {
    let url = readAddress(address)
    for (let followedCount = 0; url && followedCount <= mostRedirects; followedCount++) {
      const addresses = await resolveAllowed(options, url, signal)
      if (!addresses || signal.aborted) return undefined
      const visitResult = await visit(url, addresses, signal, patienceMs)
      if (typeof visitResult !== 'string') return visitResult
      url = readAddress(visitResult, url)
    }
    return undefined
  }

  return async (address) => {
    const since = performance.now()
    const page = await follow(address, AbortSignal.timeout(patienceMs)).catch(() => undefined)
    if (!page) await pause(Math.max(0, leastRefusalMs - (performance.now() - since)))
    return page
  }
}

/** The page, or the target of its redirect. */
async function visit(url: URL, addresses: string[], signal: AbortSignal, patienceMs: number) {
  const client = await pinnedClient(url, addresses, patienceMs)
  try {
    const answer = await client.request({
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      signal,
      headers: {
        'user-agent': 'emojid-scraper',
        accept: 'text/html, application/xhtml+xml',
        'accept-encoding': acceptedEncodings,
      },
    })
    // The body may fail before it is read.
    answer.body.on('error', () => {})
    return await read(url, answer)
  } finally {
    void client.destroy().catch(() => {})
  }
}

async function read(url: URL, { statusCode, headers, body }: Dispatcher.ResponseData) {
  const { location, 'content-type': content_type = '', 'content-encoding': encoding = '' } = headers
  if (redirects.has(statusCode) && typeof location === 'string') return location
  const isGood = statusCode >= 200 && statusCode < 300
  if (!isGood || typeof content_type !== 'string' || !html.test(content_type)) return undefined
  const bytes = await readBeginning(body, String(encoding).trim().toLowerCase(), mostBytes)
  return bytes && { url: url.href, content_type, bytes }
}

const html = /^\s*(text\/html|application\/xhtml\+xml)\s*(;|$)/i
