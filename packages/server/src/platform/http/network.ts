import ipaddr from 'ipaddr.js'

/**
 * Where a request comes from, as far as one customer of a provider can choose it: 256 addresses of
 * IPv4, one /64 of IPv6. Every limit by address counts these.
 */
export function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toByteArray().slice(0, 3).join('.')
  const groups = parsed.toByteArray().slice(0, 8)
  return Buffer.from(groups).toString('hex')
}
