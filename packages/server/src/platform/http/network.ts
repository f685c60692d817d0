import ipaddr from 'ipaddr.js'

/** The rate limit key of a client address: its /24 for IPv4, its /64 for IPv6, which one customer can vary at will. */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toByteArray().slice(0, 3).join('.')
  const groups = parsed.toByteArray().slice(0, 8)
  return Buffer.from(groups).toString('hex')
}
