import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { isPublicAddress } from './addresses.ts'
import { acceptedEncodings, readBeginning } from './read-body.ts'

export type Page = { url: string; content_type: string; bytes: Buffer }

/** The beginning of an HTML page of the public internet; undefined on any failure. */
export type PageFetcher = (address: string) => Promise<Page | undefined>

export type FetcherOptions = {
  mayReach?: (address: string, url: URL) => boolean
  /** All addresses of a host. */
  resolve?: (hostname: string, signal: AbortSignal) => Promise<string[]>
  /** The time limit of names, redirects and the page together. */
  patienceMs?: number
  /** The shortest time of a refusal. */
  leastRefusalMs?: number
}

const longestAddress = 2_048
const mostBytes = 1024 * 1024
const mostRedirects = 3
const redirects = new Set([301, 302, 303, 307, 308])

/** Public hosts at the port of their scheme: no internal services (SSRF). */
const isPublicPage = (address: string, { port }: URL): boolean =>
  port === '' && isPublicAddress(address)

/**
 * Fetches pages at addresses from users (SSRF protection). A name is resolved once, all its
 * addresses are checked, and only those are connected to, again for every redirect. Refusals reveal
 * nothing: all look alike and take the same time.
 */
export function createPageFetcher(options: FetcherOptions = {}): PageFetcher {
  const { mayReach = isPublicPage, resolve = resolveByDns } = options
  const { patienceMs = 3_500, leastRefusalMs = 800 } = options

  const addressesOf = async (url: URL, signal: AbortSignal) => {
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const addresses = isIP(host) ? [host] : await resolve(host, signal)
    const isGood = addresses.length > 0 && addresses.every((address) => mayReach(address, url))
    return isGood ? addresses : undefined
  }

  const follow = async (address: string, signal: AbortSignal): Promise<Page | undefined> => {
    let url = readAddress(address)
    for (let followed = 0; url && followed <= mostRedirects; followed++) {
      const addresses = await addressesOf(url, signal)
      if (!addresses || signal.aborted) return undefined
      const found = await visit(url, addresses, signal, patienceMs)
      if (typeof found !== 'string') return found
      url = readAddress(found, url)
    }
    return undefined
  }

  return async (address) => {
    const since = performance.now()
    const page = await follow(address, AbortSignal.timeout(patienceMs)).catch(() => undefined)
    if (!page) await sleep(Math.max(0, leastRefusalMs - (performance.now() - since)))
    return page
  }
}

/** A page address without credentials. */
function readAddress(text: string, from?: URL): URL | undefined {
  if (text.length > longestAddress || /[\s\\\p{Cc}]/u.test(text)) return undefined
  if (!URL.canParse(text, from?.href)) return undefined
  const url = new URL(text, from?.href)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  if (!isWeb || url.username !== '' || url.password !== '') return undefined
  url.hash = ''
  return url
}

/** Queries the name server directly: no hosts file, and no shared thread pool. */
async function resolveByDns(hostname: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  signal.addEventListener('abort', () => resolver.cancel(), { once: true })
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
}

/** The page, or the target of its redirect. */
async function visit(url: URL, addresses: string[], signal: AbortSignal, patienceMs: number) {
  const pinned: LookupFunction = (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    )
  const connect = { lookup: pinned, autoSelectFamily: true, timeout: patienceMs }
  // Loaded on first use: most processes never need it.
  const { Client } = await import('undici')
  const client = new Client(url.origin, { connect })
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
    // It may fail before it is read.
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
