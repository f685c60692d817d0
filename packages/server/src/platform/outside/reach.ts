import { Resolver } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import type { Client } from 'undici'
import { isPublicAddress } from './addresses.ts'

export type FetcherOptions = {
  mayReach?: (address: string, url: URL) => boolean
  /** All addresses of a host. */
  resolve?: (hostname: string, signal: AbortSignal) => Promise<string[]>
  /** The time limit of names, redirects and the page together. */
  patienceMs?: number
  /** The shortest time of a refusal. */
  leastRefusalMs?: number
  /** Waits for the rest of that time. */
  pause?: (ms: number) => Promise<unknown>
  /** The time limit of a webhook delivery. */
  deliveryMs?: number
}

const longestAddress = 2_048
const longestHeaders = 16 * 1024

/** Public hosts at the port of their scheme: no internal services (SSRF). */
export const isPublicPage = (address: string, { port }: URL): boolean =>
  port === '' && isPublicAddress(address)

/** An http or https address without credentials; undefined for any other text. */
export function readAddress(text: string, from?: URL): URL | undefined {
  if (text.length > longestAddress || /[\s\\\p{Cc}]/u.test(text)) return undefined
  if (!URL.canParse(text, from?.href)) return undefined
  const url = new URL(text, from?.href)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  if (!isWeb || url.username !== '' || url.password !== '') return undefined
  url.hash = ''
  return url
}

/** The addresses of a host; undefined unless all of them may be reached. */
export async function resolveAllowed(
  { mayReach = isPublicPage, resolve = resolveByDns }: FetcherOptions,
  url: URL,
  signal: AbortSignal,
): Promise<string[] | undefined> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolve(host, signal)
  const isGood = addresses.length > 0 && addresses.every((address) => mayReach(address, url))
  return isGood ? addresses : undefined
}

/**
 * A client that connects only to these addresses. They were checked, and the name is not resolved
 * again: a second answer of the name server could be an internal address (DNS rebinding).
 */
export async function pinnedClient(
  url: URL,
  addresses: readonly string[],
  timeoutMs: number,
): Promise<Client> {
  const pinned: LookupFunction = (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: isIP(address) })),
    )
  const connect = { lookup: pinned, autoSelectFamily: true, timeout: timeoutMs }
  // Loaded on first use: most processes never need it.
  const undici = await import('undici')
  return new undici.Client(url.origin, { connect, maxHeaderSize: longestHeaders })
}

/**
 * For a demonstration on one machine, whose receivers listen on either loopback address. Name
 * servers do not know `localhost`.
 */
export const resolveWithLocalhost: NonNullable<FetcherOptions['resolve']> = async (
  hostname,
  signal,
) => (hostname === 'localhost' ? ['127.0.0.1', '::1'] : resolveByDns(hostname, signal))

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
