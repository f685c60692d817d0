import { isLoopback } from '@emojid/core'

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
