import { isLoopback } from '@emojid/core'

/** https, or http to the reader's own machine. */
export function isWebLink(text: string): boolean {
  // As a browser reads it even if it is written otherwise: so only the plain form is taken.
  if (!/^https?:\/\/[\w.:[\]-]+([/?][^#]*)?$/i.test(text) || !isReadable(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || isLoopback(hostname)
}

/** Nothing that readers and browsers understand differently: percent-encode the rest. */
export const isReadable = (text: string): boolean =>
  /^[!-~]+$/.test(text) && !/[\\"<>^`{|}]/.test(text) && URL.canParse(text)

/** Whether an address is one of a site of ours, however it is written. */
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
