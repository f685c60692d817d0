import { type Chain, type ChainTicker, chains, chainTickers } from './chains.ts'
import { MAX_ADDRESS_LENGTH } from './decode.ts'
import { type AddressMatch, isMatch } from './verdict.ts'

export type ChainCandidate = AddressMatch & { ticker: ChainTicker; name: string }

const rank = { checksum: 0, format: 1, none: 2 } as const

/**
 * Every chain, including test networks, that the address is valid on; the most certain first.
 * Several are normal: all EVM chains share one format, and some forks kept Bitcoin's.
 */
export function detectChain(text: string): ChainCandidate[] {
  if (text.length > MAX_ADDRESS_LENGTH) return []
  const candidates = chainTickers.flatMap((ticker): ChainCandidate[] => {
    const verdict = chains[ticker].check(text)
    return isMatch(verdict) ? [{ ticker, name: chains[ticker].name, ...verdict }] : []
  })
  return candidates.sort((a, b) => rankCandidate(a) - rankCandidate(b))
}

/** The likeliest chain of an address with a typo. */
export function mistypedChain(text: string): ChainTicker | undefined {
  if (text.length > MAX_ADDRESS_LENGTH) return undefined
  return chainTickers.find((ticker) => chains[ticker].check(text) === 'checksum')
}

/** True if the match is worth naming. */
export function isTelling({ ticker, strength }: ChainCandidate): boolean {
  const chain: Chain = chains[ticker]
  return strength === 'checksum' || chain.obscure !== true
}

function rankCandidate(candidate: ChainCandidate): number {
  const { strength, network } = candidate
  return 2 * rank[strength] + (isTelling(candidate) ? 0 : 4) + (network === 'test' ? 1 : 0)
}
