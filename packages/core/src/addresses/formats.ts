import { base58 } from '@scure/base'
import { decode } from './decode.ts'
import type { AddressCheck, NetworkKind } from './verdict.ts'

/** Chains without a checksum: only the format can be checked. */
function format(fits: (text: string) => boolean, kind: string): AddressCheck {
  return (text) =>
    fits(text) ? { address: text, strength: 'format', network: 'main', kind } : undefined
}

export const solana = format(
  (text) =>
    text.length >= 32 &&
    text.length <= 44 &&
    !isNearlyOneCase(text) &&
    decode(base58, text)?.length === 32,
  'account',
)

export const eos = format((text) => /^[a-z1-5]([a-z1-5.]{0,10}[a-z1-5])?$/.test(text), 'name')

export const icon = format((text) => /^(hx|cx)[0-9a-f]{40}$/.test(text), 'account')

export const arweave = format(
  (text) => /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/.test(text) && !isNearlyOneCase(text),
  'account',
)

/**
 * A name of dot-separated words, or the 64 hex digits of a key. Only names under the known roots:
 * any other may be a web site, or a name of another chain.
 */
export const near: AddressCheck = (text) => {
  if (text.length < 2 || text.length > 64) return undefined
  const implicit = /^[0-9a-f]{64}$/.test(text)
  if (
    !implicit &&
    !/^[a-z0-9]+([-_][a-z0-9]+)*(\.[a-z0-9]+([-_][a-z0-9]+)*)*\.(near|tg|testnet)$/.test(text)
  )
    return undefined
  const network: NetworkKind = text.endsWith('.testnet') ? 'test' : 'main'
  const kind = implicit ? 'implicit' : 'name'
  return { address: text, strength: 'format', network, kind }
}

/**
 * Random bytes in letters of both cases practically never look so. A bech32 address of another
 * chain does, even with a typo, and many have the length of a Solana or Arweave address.
 */
function isNearlyOneCase(text: string): boolean {
  const capitals = text.replace(/[^A-Z]/g, '').length
  const small = text.replace(/[^a-z]/g, '').length
  return capitals + small > 9 && Math.min(capitals, small) < 3
}
