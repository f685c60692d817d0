/** https, or http to the machine of whoever opens it. */
export function isWebLink(text: string): boolean {
  // As a browser reads it even if it is written otherwise: so only the plain form is taken.
  if (!/^https?:\/\/[\w.:[\]-]+([/?][^#]*)?$/i.test(text) || !isReadable(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || isLoopback(hostname)
}

/** Nothing that readers and browsers understand differently: percent-encode the rest. */
export const isReadable = (text: string): boolean =>
  /^[!-~]+$/.test(text) && !/[\\"<>^`{|}]/.test(text) && URL.canParse(text)

const isLoopback = (hostname: string): boolean =>
  ['localhost', '[::1]'].includes(hostname) || /^127(\.\d+){3}$/.test(hostname)
