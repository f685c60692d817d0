import { type Chain, type ChainTicker, chains, chainTickers } from './chains.ts'
import { MAX_ADDRESS_LENGTH } from './decode.ts'
import { type AddressMatch, isMatch } from './verdict.ts'

export type ChainCandidate = AddressMatch & { ticker: ChainTicker; name: string }

const rank = { checksum: 0, format: 1, none: 2 } as const

/**
 * Every chain, test networks included, for which the text is an address; the surest first. Several are
 * normal: all Ethereum-like chains share one form, and some forks kept Bitcoin's.
 */
export function detectChain(text: string): ChainCandidate[] {
  if (text.length > MAX_ADDRESS_LENGTH) return []
  const candidates = chainTickers.flatMap((ticker): ChainCandidate[] => {
    const verdict = chains[ticker].check(text)
    return isMatch(verdict) ? [{ ticker, name: chains[ticker].name, ...verdict }] : []
  })
  return candidates.sort((a, b) => sureness(a) - sureness(b))
}

/** The likeliest chain that the text would be an address of, but for a typing error. */
export function mistypedChain(text: string): ChainTicker | undefined {
  if (text.length > MAX_ADDRESS_LENGTH) return undefined
  return chainTickers.find((ticker) => chains[ticker].check(text) === 'checksum')
}

/** Whether the match is worth naming to a person. */
export function isTelling({ ticker, strength }: ChainCandidate): boolean {
  const chain: Chain = chains[ticker]
  return strength === 'checksum' || chain.obscure !== true
}

function sureness(candidate: ChainCandidate): number {
  const { strength, network } = candidate
  return 2 * rank[strength] + (isTelling(candidate) ? 0 : 4) + (network === 'test' ? 1 : 0)
}
