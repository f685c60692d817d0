import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Public range, but a provider's internal service. */
const ofProviders = new Set(['168.63.129.16'])

const globalIPv6 = ipaddr.parse('2000::')

/** True for an address of the public internet without a special use. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%') || ofProviders.has(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  // Outside of 2000::/3 are only special uses, including ones not listed yet.
  return address.kind() === 'ipv4' || address.match(globalIPv6, 3)
}

export const isLoopbackAddress = (text: string): boolean =>
  isIP(text) !== 0 && !text.includes('%') && ipaddr.process(text).range() === 'loopback'
