import { isLoopback } from '@emojid/core'
import { texts } from './texts.ts'

const names = ['terms', 'privacy', 'imprint', 'support'] as const

/** Pages of the operator that every page and mail links to, as far as they are configured. */
export type SiteLinks = Readonly<Record<(typeof names)[number], string | undefined>>

/** The members of `/.well-known/security.txt` (RFC 9116) that the operator chooses. */
export type SecurityContact = Readonly<{ contact: string; expires: Date; languages: string }>

export const noLinks: SiteLinks = {
  terms: undefined,
  privacy: undefined,
  imprint: undefined,
  support: undefined,
}

/** The configured links with their labels, in the order of display. */
export const listLinks = (links: SiteLinks): { label: string; url: string }[] =>
  names.flatMap((name) => {
    const url = links[name]
    return url === undefined ? [] : { label: texts().links[name], url }
  })

/** https, or http to the reader's own machine. */
export function isWebLink(text: string): boolean {
  // Browsers accept more spellings, so only the plain one passes.
  if (!/^https?:\/\/[\w.:[\]-]+([/?][^#]*)?$/i.test(text) || !isReadable(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || isLoopback(hostname)
}

/** Rejects characters that people and browsers read differently. */
export const isReadable = (text: string): boolean =>
  /^[!-~]+$/.test(text) && !/[\\"<>^`{|}]/.test(text) && URL.canParse(text)

/** True for an address on one of our sites, in any spelling. */
export function isWithin(site: string, address: string): boolean {
  const [{ origin, pathname }, url] = [new URL(site), new URL(address)]
  const path = decodeSafely(url.pathname).replaceAll(/\/+/g, '/')
  const start = pathname.replace(/\/$/, '')
  return url.origin === origin && (path === start || path.startsWith(`${start}/`))
}

const decodeSafely = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Adds members to the query of an address; the existing query stays byte for byte. */
export function withQuery(address: string, members: Record<string, string | undefined>): string {
  const entries = Object.entries(members).filter((one): one is [string, string] => Boolean(one[1]))
  const query = entries.map(([name, value]) => `${name}=${encode(value)}`).join('&')
  if (query === '') return address
  return `${address}${address.includes('?') ? '&' : '?'}${query}`
}

const encode = (value: string): string => encodeURIComponent(value.toWellFormed())
