import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Looks public, but leads to the machines of a provider from inside its network. */
const ofProviders = new Set(['168.63.129.16'])

const globalIPv6 = ipaddr.parse('2000::')

/** Whether an address belongs to somebody on the public internet, and to nothing special. */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0 || text.includes('%') || ofProviders.has(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  // Outside of 2000::/3 there are only special uses, also some that no list names yet.
  return address.kind() === 'ipv4' || address.match(globalIPv6, 3)
}
