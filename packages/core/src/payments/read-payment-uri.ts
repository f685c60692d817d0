import { bitcoinLike } from './payment-uri.ts'

const schemes: ReadonlySet<string> = new Set([
  ...Object.values(bitcoinLike).map(({ scheme }) => scheme),
  'ethereum',
  'monero',
  'solana',
  'tron',
  'ripple',
])

/** Scheme, address, chain id, call, query. */
const form = /^([a-z]+):(?:\/\/|pay-)?([^/?@]+)(?:@\d+)?(\/transfer)?(?:\?(.*))?$/i

/** The address in a payment link such as `bitcoin:bc1q…?amount=1`; any other text unchanged. */
export function addressInUri(text: string): string {
  const [, scheme = '', first = '', transfer, query] = form.exec(text) ?? []
  const schemeName = scheme.toLowerCase()
  if (!schemes.has(schemeName)) return text
  // In a token transfer the first address is the token's contract.
  if (transfer) return new URLSearchParams(query).get('address') ?? text
  return schemeName === 'bitcoincash' ? `${schemeName}:${first}` : first
}
