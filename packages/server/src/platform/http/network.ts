import ipaddr from 'ipaddr.js'

/** The rate limit key of a client address: its /24 for IPv4, its /64 for IPv6, which one customer can vary at will. */
export function networkOf(address: string): string {
  const ip = withoutPort(address)
  // A proxy that forwards something else gets one limit for all its clients.
  if (!ipaddr.isValid(ip)) return 'unknown'
  const parsed = ipaddr.process(ip)
  if (parsed.kind() === 'ipv4') return parsed.toByteArray().slice(0, 3).join('.')
  const groups = parsed.toByteArray().slice(0, 8)
  return Buffer.from(groups).toString('hex')
}

/** The rate limit key of one client: its IPv4 address, which it can seldom vary, or its /64 for IPv6. */
export function clientOf(address: string): string {
  const network = networkOf(address)
  return isIPv4(network) ? withoutPort(address) : network
}

/** A wide network may use as much as this many networks: one customer can have thousands of networks. */
export const networksOfOne = 4

/** The share of its limit that a network always has, whatever others use. */
export const ownShare = 1 / 20

/** True if the key of a network, as `networkOf` makes it, is of an IPv4 network. */
export const isIPv4 = (network: string): boolean => network.split('.').length === 3

/** The larger network around one: a /16 for IPv4, a /48 for IPv6. One customer may have all of a /48. */
export function wideNetworkOf(network: string): string {
  return isIPv4(network) ? network.split('.').slice(0, 2).join('.') : network.slice(0, 12)
}

/** Matches all networks of the wide network around this one, with SQL's `like`. */
export const likeWideNetwork = (network: string): string =>
  `${wideNetworkOf(network)}${isIPv4(network) ? '.' : ''}%`

/** Some proxies forward `203.0.113.7:5555` or `[2001:db8::1]:5555`. */
function withoutPort(address: string): string {
  return /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? /^([\d.]+):\d+$/.exec(address)?.[1] ?? address
}
